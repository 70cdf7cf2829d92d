import type { Effort } from "../../../domain/models/hosted-providers.ts";
import type { TokenCount } from "../../../domain/models/price.ts";
import { replyTokens } from "../../../domain/models/reasoning-allowance.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { AskRequest } from "../../../ports/runner.ts";
import { readCallSettings } from "./call-settings.ts";
import type { ProviderCall } from "./provider-runner.ts";
import type { ApiCall, ModelAnswer } from "./stream-answer.ts";

/** How much a model may think before it answers. */
export interface Room {
  readonly thinks: boolean;
  readonly effort?: Effort;
  readonly onText?: (part: string) => void;
}

/** The request in the AI SDK's form, with every setting that reaches a hosted model. */
export function hostedCall(call: Pick<ProviderCall, "request" | "signal"> & Room): ApiCall {
  const { request, signal, thinks, effort } = call;
  const { temperature, maxTokens, seed } = readCallSettings(request.settings);
  const { replySchema: schema } = request;
  return {
    prompt: promptOf(request),
    abortSignal: signal,
    ...defined({ temperature, seed, reasoning: effort }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: replyTokens(maxTokens, thinks) }),
    ...(schema === undefined ? {} : { responseFormat: { type: "json", schema: { ...schema } } }),
  };
}

/**
 * Whether a model reasons is learned from its answers: reasoning counts against the limit of the reply, so an answer
 * that was cut after reasoning is asked for once more with an allowance, and the model has it from then on.
 */
export async function askWithRoom(
  call: Pick<ProviderCall, "modelId" | "onText">,
  about: { readonly thinking: Set<string>; readonly effort?: Effort },
  ask: (room: Room) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { modelId, onText } = call;
  const { thinking, effort } = about;
  const thinks = effort !== undefined || thinking.has(modelId);
  const first = await ask({ thinks, ...defined({ effort, onText }) });
  if (thinks || !first.hasReasoned) return first;
  thinking.add(modelId);
  if (first.finish === "complete") return first;
  return afterFirst(first, await ask({ thinks: true, onText: () => onText?.("") }));
}

/** The second answer, with what both of them used; unknown if either is. */
export function afterFirst(first: ModelAnswer, second: ModelAnswer): ModelAnswer {
  const { tokens, ...answer } = second;
  return { ...answer, ...defined({ tokens: sumOf(first.tokens, tokens) }) };
}

/** Providers that cache by themselves find the longest common beginning; Anthropic wants it marked. */
const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Anthropic caches nothing shorter than 1,024 tokens. */
const shortestCached = 4_096;

export function promptOf({ system, user, stablePrefix = 0 }: AskRequest): ApiCall["prompt"] {
  const isWorthIt = system.length + stablePrefix >= shortestCached && stablePrefix > 0;
  const at = isWorthIt ? Math.min(stablePrefix, user.length) : 0;
  const content = [
    { type: "text" as const, text: user.slice(0, at), providerOptions: cacheMark },
    { type: "text" as const, text: user.slice(at) },
  ].filter(({ text }) => text !== "");
  const asked = { role: "user" as const, content: content.length === 0 ? emptyPrompt : content };
  return system === "" ? [asked] : [{ role: "system", content: system }, asked];
}

const emptyPrompt = [{ type: "text" as const, text: "" }];

function sumOf(one: TokenCount | undefined, other: TokenCount | undefined): TokenCount | undefined {
  if (one === undefined || other === undefined) return undefined;
  const add = (name: "cachedInput" | "cacheWrite") =>
    one[name] === undefined && other[name] === undefined
      ? undefined
      : (one[name] ?? 0) + (other[name] ?? 0);
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    ...defined({ cachedInput: add("cachedInput"), cacheWrite: add("cacheWrite") }),
  };
}
