import { decideState, isLocked, isTerminal, type LoopDecision, mergeDecision } from "./decision.ts";
import type { LoopState } from "./iteration.ts";
import type { StopRule } from "./stop-rules.ts";
import { nextIteration } from "./take-turn.ts";

export type ResumePlan =
  /** The decision is locked: return it, write nothing. */
  | { readonly kind: "ended"; readonly decision: LoopDecision }
  /** The last turn already decides; only the decision is missing. */
  | { readonly kind: "close"; readonly state: LoopState; readonly decision: LoopDecision }
  | { readonly kind: "continue"; readonly state: LoopState; readonly iteration: number }
  /** The limit leaves no room for a turn; `needed` is the smallest that does. */
  | { readonly kind: "refused"; readonly limit: number; readonly needed: number };

/**
 * How a loop resumes from what is recorded. A limit is a total and may only leave room for more. A decision that
 * was unlocked is not made again from the same turn: the loop continues after it.
 */
export function planResume(from: {
  readonly state: LoopState;
  readonly decision?: LoopDecision;
  /** Asked for explicitly; absent keeps the state's own. */
  readonly maxIterations?: number;
  readonly stopRules: readonly StopRule[];
}): ResumePlan {
  const { decision } = from;
  if (isLocked(decision)) return { kind: "ended", decision };
  const iteration = nextIteration(from.state);
  const limit = from.maxIterations ?? from.state.maxIterations;
  const hasRoom = Number.isInteger(limit) && limit >= iteration;
  const refused = { kind: "refused", limit, needed: iteration } as const;
  if (from.maxIterations !== undefined && !hasRoom) return refused;
  const state = { ...from.state, maxIterations: limit };
  const missing = isTerminal(decision) ? undefined : decideState(state, from.stopRules);
  const closing = missing && mergeDecision(decision, missing);
  if (closing !== undefined) return { kind: "close", state, decision: closing };
  return hasRoom ? { kind: "continue", state, iteration } : refused;
}
