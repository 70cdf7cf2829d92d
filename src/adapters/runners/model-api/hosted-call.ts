import { isReasoningModel, replyTokens } from "../../../domain/models/reasoning-allowance.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { readCallSettings } from "./call-settings.ts";
import type { ProviderCall } from "./provider-runner.ts";
import type { ApiCall } from "./stream-answer.ts";

/** The request in the AI SDK's form, with every setting that reaches a hosted model. */
export function hostedCall(call: Pick<ProviderCall, "request" | "modelId" | "signal">): ApiCall {
  const { request, modelId, signal } = call;
  const { temperature, maxTokens, seed, schema } = readCallSettings(request.settings);
  const thinks = isReasoningModel(modelId);
  return {
    prompt: promptOf(request),
    abortSignal: signal,
    ...defined({ temperature, seed }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: replyTokens(maxTokens, thinks) }),
    ...(schema === undefined ? {} : { responseFormat: { type: "json", schema: { ...schema } } }),
  };
}

export function promptOf(request: AskRequest): ApiCall["prompt"] {
  const user: ApiCall["prompt"][number] = {
    role: "user",
    content: [{ type: "text", text: request.user }],
  };
  return request.system === "" ? [user] : [{ role: "system", content: request.system }, user];
}
