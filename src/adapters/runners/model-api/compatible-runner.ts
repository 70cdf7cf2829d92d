import type { Guard } from "../../../domain/settings/acts.ts";
import type { Runner } from "../../../ports/runner.ts";
import { readBaseUrl } from "./base-url.ts";
import { hostedCall } from "./hosted-call.ts";
import { listedWindow, listModels } from "./model-list.ts";
import { type ApprovalTest, cutPrompt } from "./prompt-guard.ts";
import { createProviderRunner, type ProviderSettings } from "./provider-runner.ts";
import { requiredKey } from "./required-key.ts";
import { streamAnswer } from "./stream-answer.ts";

export interface CompatibleSettings extends ProviderSettings {
  /** As in `compatible/<name>/…`. */
  readonly name: string;
  readonly baseUrl: string;
  /** Many such servers want none. */
  readonly apiKey?: string;
  /** The variable the key comes from, for messages. */
  readonly apiKeyVariable?: string;
  /** Set for servers that cut long prompts silently: the room they have. Approvals are then guarded. */
  readonly contextTokens?: number;
  readonly guard: Guard;
  readonly isApproval?: ApprovalTest;
}

/** Any server that speaks OpenAI's Chat Completions. */
export function createCompatibleRunner(settings: CompatibleSettings): Runner {
  const { name, contextTokens, isApproval, guard } = settings;
  const variable = settings.apiKeyVariable ?? "its key";
  const apiKey =
    settings.apiKey === undefined ? undefined : requiredKey(name, variable, settings.apiKey);
  const baseUrl = readBaseUrl(`compatible/${name}`, settings.baseUrl);
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  if (apiKey !== undefined) guard({ kind: "secret", address: baseUrl, variable });
  return createProviderRunner(
    {
      title: `The server "${name}"`,
      prefix: `compatible/${name}`,
      baseUrl,
      secrets: apiKey === undefined ? [] : [apiKey],
      hints: {
        unreachable: `Check that it runs, and providers.compatible.${name}.base_url.`,
        unauthorized: `Check ${variable}.`,
        missingModel: "See `signoff models` for what it offers.",
      },
      async ask(call) {
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const { fetch, modelId, onText } = call;
        const key = apiKey === undefined ? {} : { apiKey };
        const shape = { name, baseURL: baseUrl, fetch, includeUsage: true, ...key };
        const model = createOpenAICompatible(shape).chatModel(modelId);
        const answer = await streamAnswer(model, hostedCall(call), onText);
        if (contextTokens === undefined) return answer;
        const cut = cutPrompt(call.request, answer, { contextTokens, isApproval });
        if (cut !== undefined) throw cut;
        return answer;
      },
      list: (fetch, signal) => listModels(fetch, `${baseUrl}/models`, { headers, signal }),
      window: ({ fetch, modelId, signal }) =>
        listedWindow(fetch, `${baseUrl}/models`, { headers, signal, modelId }),
    },
    settings,
  );
}
