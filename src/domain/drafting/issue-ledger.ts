import type { IssueAnswer } from "./candidate.ts";
import type { ReviewIssue } from "./review.ts";

/** Every objection ever raised in a loop, with what became of it. */
export interface LedgerEntry {
  readonly issue: ReviewIssue;
  readonly raisedIn: number;
  readonly status: "open" | "closed";
  readonly closedIn?: number;
  /** The creator's latest answer; absent means unanswered. */
  readonly answer?: IssueAnswer & { readonly iteration: number };
}

export type IssueLedger = readonly LedgerEntry[];
