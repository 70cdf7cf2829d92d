import type { Instant } from "../values/instant.ts";
import type { ProvenanceRef } from "./provenance.ts";
import type { Signature } from "./signature.ts";

/** `needs_human`: the reviewer cannot decide, and is never outvoted. */
export const verdicts = ["ok", "changes_requested", "needs_human"] as const;
export type Verdict = (typeof verdicts)[number];

/** An error prevents an `ok`; a warning does not. */
export type Severity = "error" | "warning";

/** An objection as a reviewer or a check states it, before it has an id. */
export interface RaisedIssue {
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string;
  /** Which part of the text it is about, e.g. `content`. */
  readonly field?: string;
  /** The words objected to, verbatim. */
  readonly quote?: string;
}

/** An objection as the ledger keeps it. */
export interface ReviewIssue extends RaisedIssue {
  readonly issueId: string;
  /** Label of who raised it; `checks` for the recipe's own checks, `person` for people. */
  readonly reviewer: string;
  /** A new error about text that the reviewer had already seen unchanged. */
  readonly late: boolean;
}

/**
 * Codes of issues that hold a reviewer's prose: an objection, but with no severity that the reviewer stated. Only a
 * reader of replies gives them.
 */
export const proseCodes: readonly string[] = ["feedback", "unclear_review"];

/** Whether an open issue is stated as an error, and not in prose. */
export function statesError({ issues }: { readonly issues: readonly RaisedIssue[] }): boolean {
  return issues.some(
    ({ severity, code }) => severity === "error" && !proseCodes.includes(code ?? ""),
  );
}

/** The judgement of one iteration. Never `ok` together with an error issue. */
export interface Review {
  readonly iteration: number;
  readonly verdict: Verdict;
  readonly issues: readonly ReviewIssue[];
  readonly reviewer?: string;
  readonly createdAt: Instant;
  readonly summary?: string;
  readonly score?: number;
  /** Absent where nothing was approved, of panels as a whole, and in records older than the question. */
  readonly signature?: Signature;
  readonly provenance: readonly ProvenanceRef[];
}

/** What a reviewer's reply says, whatever form it came in. */
export interface ReviewerReply {
  readonly verdict: Verdict;
  readonly issues: readonly RaisedIssue[];
  /** Ids of earlier issues the reviewer says are still there. */
  readonly kept: readonly string[];
  /** Ids of earlier issues the reviewer says are settled. */
  readonly closed: readonly string[];
  readonly summary?: string;
  readonly score?: number;
  /** Present when the reviewer was asked to sign. */
  readonly signature?: Signature;
}
