import { defined } from "../values/defined.ts";
import type { LoopState } from "./iteration.ts";
import type { Verdict } from "./review.ts";
import { firstStop, type StopReason, type StopRule } from "./stop-rules.ts";

/**
 * The version of the rules by which replies are read and loops decided. Decisions under an older one stay as they are and
 * are shown as such.
 */
export const decisionRule = 2;

/** Both sides signed, a person has to decide, or the loop continues. */
export type LoopOutcome = "converged" | "needs_human" | "in_progress";

export type LockableField = "outcome" | "final_iteration" | "reason";

export type DecisionReason =
  | "reviewer_ok_and_creator_done"
  | "iteration_limit"
  | "stalled"
  | "oscillating"
  | "late_issues"
  | "locked_selection";

/** The loop's decision. Terminal ones lock all three fields. */
export interface LoopDecision {
  readonly outcome: LoopOutcome;
  readonly finalIteration?: number;
  readonly reason?: string;
  readonly lockedFields: readonly LockableField[];
}

/** What the rule looks at after a turn, and nothing else. */
export interface DecisionFacts {
  readonly verdict: Verdict;
  readonly done: boolean;
  readonly iteration: number;
  readonly maxIterations: number;
  /** What the recipe's stop rules say about the turns so far. */
  readonly stop?: StopReason;
}

/**
 * The rule that ends a loop. Both signatures count before the limit, so the last turn may converge;
 * the limit counts before a stop rule. No decision means another turn.
 */
export function decideLoop(facts: DecisionFacts): LoopDecision | undefined {
  const { iteration } = facts;
  if (facts.verdict === "ok" && facts.done) {
    return terminal("converged", "reviewer_ok_and_creator_done", iteration);
  }
  if (iteration >= facts.maxIterations)
    return terminal("needs_human", "iteration_limit", iteration);
  if (facts.stop !== undefined) return terminal("needs_human", facts.stop, iteration);
  return undefined;
}

/** The rule applied to the last turn of a state; nothing when there is no turn yet. */
export function decideState(
  state: LoopState,
  stopRules: readonly StopRule[],
): LoopDecision | undefined {
  const last = state.iterations.at(-1);
  if (last === undefined) return undefined;
  const stop = firstStop(stopRules, state.iterations);
  return decideLoop({
    verdict: last.review.verdict,
    done: last.creatorDone,
    iteration: last.iteration,
    maxIterations: state.maxIterations,
    ...defined({ stop }),
  });
}

/** Whether the loop is over; `isLocked` asks whether it must stay so. */
export function isTerminal(decision: LoopDecision | undefined): decision is LoopDecision {
  return decision !== undefined && decision.outcome !== "in_progress";
}

/** A loop whose decision is locked is never run again, however often it is asked for. */
export function isLocked(decision: LoopDecision | undefined): decision is LoopDecision {
  return isTerminal(decision) && decision.lockedFields.includes("outcome");
}

/**
 * A later decision over an earlier one: a locked field keeps its value, even when that value is absent,
 * the others take the new one, and a lock is never lost.
 */
export function mergeDecision(
  existing: LoopDecision | undefined,
  proposed: LoopDecision | undefined,
): LoopDecision | undefined {
  if (existing === undefined) return proposed;
  if (proposed === undefined) return existing;
  const from = (field: LockableField) =>
    existing.lockedFields.includes(field) ? existing : proposed;
  const { finalIteration } = from("final_iteration");
  const { reason } = from("reason");
  return {
    outcome: from("outcome").outcome,
    ...defined({ finalIteration, reason }),
    lockedFields: [...new Set([...existing.lockedFields, ...proposed.lockedFields])].sort(),
  };
}

/** Whether turn `turn` of `maxTurns` is followed by another. */
export function shouldContinue(turn: number, maxTurns: number, approved: boolean): boolean {
  return !approved && turn < maxTurns;
}

function terminal(
  outcome: "converged" | "needs_human",
  reason: DecisionReason,
  finalIteration: number,
): LoopDecision {
  return {
    outcome,
    finalIteration,
    reason,
    lockedFields: ["final_iteration", "outcome", "reason"],
  };
}
