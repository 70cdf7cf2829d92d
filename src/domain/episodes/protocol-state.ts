import { isLocked, type LoopDecision } from "../drafting/decision.ts";
import type { LoopIteration } from "../drafting/iteration.ts";
import { checkAssetId, checkReview } from "./asset.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

/** One iteration as `iteration_NN.json` holds it. */
export type ProtocolIteration = Pick<
  LoopIteration,
  "iteration" | "creatorDone" | "candidate" | "review"
>;

/** A loop as `copy/protocol/<asset>/state.json` holds it. */
export interface ProtocolState {
  readonly assetId: string;
  readonly maxIterations: number;
  readonly iterations: readonly ProtocolIteration[];
  readonly decision?: LoopDecision;
}

export function makeProtocolState(state: ProtocolState): ProtocolState {
  checkAssetId(state.assetId);
  if (!Number.isInteger(state.maxIterations) || state.maxIterations < 1) {
    throw new InvalidEpisode(
      "max-iterations",
      `max_iterations is ${state.maxIterations}, not 1 or more`,
    );
  }
  let last = 0;
  for (const iteration of state.iterations) {
    checkProtocolIteration(iteration, state.assetId);
    if (iteration.iteration <= last) {
      throw new InvalidEpisode(
        "protocol-iterations-increase",
        `iteration ${iteration.iteration} comes after ${last}`,
      );
    }
    last = iteration.iteration;
  }
  return state;
}

export function checkProtocolIteration(one: ProtocolIteration, assetId: string): void {
  checkReview(one.review);
  if (one.review.iteration !== one.iteration) {
    throw new InvalidEpisode(
      "review-of-this-iteration",
      `iteration ${one.iteration} holds the review of iteration ${one.review.iteration}`,
    );
  }
  if (one.candidate.assetId !== assetId) {
    throw new InvalidEpisode(
      "candidate-belongs-to-asset",
      `iteration ${one.iteration} of "${assetId}" holds a candidate for "${one.candidate.assetId}"`,
    );
  }
}

/** Ended and locked: only an explicit act of a person continues it. */
export function isClosed(state: ProtocolState | undefined): boolean {
  return isLocked(state?.decision);
}
