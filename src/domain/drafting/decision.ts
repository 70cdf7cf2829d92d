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
