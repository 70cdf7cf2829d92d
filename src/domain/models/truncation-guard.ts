import { defined } from "../values/defined.ts";
import { parseModelName } from "./model-name.ts";
import { estimateTokens, utf8Bytes } from "./token-estimate.ts";

/** What is known about a prompt that a provider may have cut without saying so. */
export interface PromptEvidence {
  readonly bytes: number;
  /** The room the model was given, `num_ctx`. */
  readonly contextTokens: number;
  /** What the provider says it read; old servers leave it out. */
  readonly countedTokens?: number;
  /** The reply holds both nonces, which are at the two ends of the prompt. */
  readonly echoed: boolean;
}

export type TruncationVerdict =
  | { readonly counts: true; readonly because: "counted" | "roomy" | "echoed" }
  | { readonly counts: false; readonly estimate: number; readonly counted?: number };

/**
 * Whether an approval counts. The token count is compared with the low end of the estimate and the room with
 * the high end, so that neither a terse nor a wordy tokenizer makes a cut prompt look whole.
 */
export function judgeTruncation(evidence: PromptEvidence): TruncationVerdict {
  const { countedTokens } = evidence;
  const { fewest } = estimateTokens(evidence.bytes);
  if (countedTokens !== undefined && countedTokens >= 0.8 * fewest) {
    return { counts: true, because: "counted" };
  }
  if (isRoomy(evidence.bytes, evidence.contextTokens)) return { counts: true, because: "roomy" };
  if (evidence.echoed) return { counts: true, because: "echoed" };
  return {
    counts: false,
    estimate: fewest,
    ...defined({ counted: countedTokens }),
  };
}

/** The prompt takes less than half of the room; above that the prompt asks for an echo of its nonces. */
export function isRoomy(bytes: number, contextTokens: number): boolean {
  return estimateTokens(bytes).most < contextTokens / 2;
}

export interface ContextNeed {
  readonly bytes: number;
  readonly replyTokens: number;
  /** What the model was trained for; a server takes larger values and ignores them. */
  readonly mostTokens?: number;
}

/** The least room that any call gets; also what is assumed of a server that does not report it. */
export const smallestContext = 4_096;

/** Room for prompt and reply, in doublings: every change makes a local server load the model again. */
export function contextFor(need: ContextNeed): number {
  return atMost(doubledTo(estimateTokens(need.bytes).most + need.replyTokens), need);
}

/** The next room to try after a prompt was cut; `undefined` when the model has no more. */
export function largerContext(current: number, need: ContextNeed): number | undefined {
  const wanted = doubledTo(2 * estimateTokens(need.bytes).most + need.replyTokens);
  const larger = atMost(Math.max(wanted, 2 * current), need);
  return larger > current ? larger : undefined;
}

function doubledTo(tokens: number): number {
  let context = smallestContext;
  while (context < tokens) context *= 2;
  return context;
}

function atMost(context: number, need: ContextNeed): number {
  return need.mostTokens === undefined ? context : Math.min(context, need.mostTokens);
}

/**
 * Whether a prompt has to carry markers that the reply echoes: it is long, and goes to a server that may drop its
 * head without a word. A function of prompt and model alone, so that a replay asks the same thing.
 */
export function needsMarkers(prompt: {
  readonly model: string;
  readonly system: string;
  readonly user: string;
}): boolean {
  const { provider } = parseModelName(prompt.model);
  if (provider !== "ollama" && provider !== "compatible") return false;
  return !isRoomy(utf8Bytes(prompt.system) + utf8Bytes(prompt.user), smallestContext);
}
