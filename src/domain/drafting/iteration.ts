import type { Candidate, IssueAnswer } from "./candidate.ts";
import type { IssueLedger } from "./issue-ledger.ts";
import type { PanelDecision } from "./panel.ts";
import type { Review } from "./review.ts";

/** One turn of the loop as it is recorded: the candidate that was chosen, and the combined review of it. */
export interface LoopIteration {
  readonly iteration: number;
  readonly creatorDone: boolean;
  readonly candidate: Candidate;
  readonly review: Review;
  readonly answers: readonly IssueAnswer[];
  /** Members' own reviews when there is a panel, in the order of the panel. */
  readonly panel: readonly Review[];
  /** How the panel voted; absent without a panel. */
  readonly vote?: PanelDecision;
  /** Candidates of this turn that were not chosen, each with its combined review. */
  readonly losers: readonly { readonly candidate: Candidate; readonly review: Review }[];
  /** The ledger after this turn: what is open, and what this turn closed. Earlier turns have the rest. */
  readonly ledger: IssueLedger;
}

/** Everything the loop has to know to take the next turn. */
export interface LoopState {
  readonly maxIterations: number;
  readonly iterations: readonly LoopIteration[];
}
