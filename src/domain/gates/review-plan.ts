import { compareText } from "../values/compare-text.ts";
import { lensOf } from "./snapshots.ts";

/** A stale pair as planning sees it; sizes are bytes of the texts that go into a prompt. */
export interface PlannablePair {
  readonly note: PlannableText & { readonly path: string };
  readonly gate: PlannableText & { readonly id: string };
}

export interface PlannableText {
  readonly blobSha: string;
  readonly bytes: number;
}

/** `bundle`: one note and gates of one lens. `sweep`: one gate and several notes. */
export type PromptShape = "bundle" | "sweep";

/** One call to a model, as data: it can be printed, priced and stored before anything is spent. */
export interface ReviewPlan {
  readonly shape: PromptShape;
  readonly modelId: string;
  readonly pairs: readonly PlannablePair[];
  readonly tokens: TokenRange;
}

export interface TokenRange {
  readonly low: number;
  readonly high: number;
}

export type PlanStrategy = "by-note" | "by-gate" | "cheapest";

export interface PlanOptions {
  readonly strategy: PlanStrategy;
  readonly modelId: string;
  /** Tokens the model can read at once, the reply included. */
  readonly contextTokens: number;
  /** A call with several pairs takes at most this much, unless one of them alone needs more. */
  readonly callTokens: number;
  /** At most this many pairs in one call. */
  readonly maxPairs: number;
}

export interface PlanSet {
  readonly plans: readonly ReviewPlan[];
  /** Pairs that do not fit the model even alone; asking would only cut them. */
  readonly tooLarge: readonly PlannablePair[];
}

/** What a prompt costs before any note or gate is in it. */
const frameBytes = 3000;
const frameBytesPerPair = 400;
/** What one reviewed pair is expected to take of the reply. */
export const replyTokensPerPair = 700;

/**
 * Groups pairs into calls. The same pairs in any order give the same plans, and every pair that fits is in exactly
 * one of them.
 */
export function planReviews(pairs: readonly PlannablePair[], options: PlanOptions): PlanSet {
  const sorted = [...pairs].sort(comparePairs);
  const tooLarge = sorted.filter((pair) => !fits([pair], options.contextTokens));
  const fitting = sorted.filter((pair) => fits([pair], options.contextTokens));
  const plans = [...Map.groupBy(fitting, (pair) => lensOf(pair.gate.id)).values()].flatMap(
    (ofLens) => planLens(ofLens, options),
  );
  return { plans, tooLarge };
}

/** Input tokens of one prompt as a range: text has three to five bytes a token. */
function estimateTokens(pairs: readonly PlannablePair[]): TokenRange {
  const notes = new Map(pairs.map(({ note }) => [note.path, note.bytes]));
  const gates = new Map(pairs.map(({ gate }) => [gate.id, gate.bytes]));
  let bytes = frameBytes + frameBytesPerPair * pairs.length;
  for (const size of [...notes.values(), ...gates.values()]) bytes += size;
  return { low: Math.ceil(bytes / 5), high: Math.ceil(bytes / 3) };
}

/** The cheaper shape is chosen per lens, because a bundle never mixes lenses. */
function planLens(pairs: readonly PlannablePair[], options: PlanOptions): readonly ReviewPlan[] {
  const byNote = () =>
    pack(
      Map.groupBy(pairs, ({ note }) => note.path),
      "bundle",
      options,
    );
  const byGate = () =>
    pack(
      Map.groupBy(pairs, ({ gate }) => gate.id),
      "sweep",
      options,
    );
  switch (options.strategy) {
    case "by-note":
      return byNote();
    case "by-gate":
      return byGate();
    case "cheapest": {
      const [bundles, sweeps] = [byNote(), byGate()];
      return inputTokens(sweeps) < inputTokens(bundles) ? sweeps : bundles;
    }
  }
}

function pack(
  groups: ReadonlyMap<string, readonly PlannablePair[]>,
  shape: PromptShape,
  { modelId, contextTokens, callTokens, maxPairs }: PlanOptions,
): readonly ReviewPlan[] {
  const plans: ReviewPlan[] = [];
  const close = (batch: readonly PlannablePair[]) => {
    if (batch.length > 0)
      plans.push({ shape, modelId, pairs: batch, tokens: estimateTokens(batch) });
  };
  for (const group of groups.values()) {
    let batch: PlannablePair[] = [];
    let most = callTokens;
    for (const pair of group) {
      if (batch.length >= maxPairs || !fits([...batch, pair], most)) {
        close(batch);
        batch = [];
        most = fits([pair], callTokens) ? callTokens : contextTokens;
      }
      batch.push(pair);
    }
    close(batch);
  }
  return plans;
}

function fits(pairs: readonly PlannablePair[], contextTokens: number): boolean {
  return estimateTokens(pairs).high + replyTokensPerPair * pairs.length <= contextTokens;
}

function inputTokens(plans: readonly ReviewPlan[]): number {
  return plans.reduce((sum, { tokens }) => sum + tokens.high, 0);
}

function comparePairs(a: PlannablePair, b: PlannablePair): number {
  return compareText(a.note.path, b.note.path) || compareText(a.gate.id, b.gate.id);
}
