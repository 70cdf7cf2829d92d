import type { FailLevel } from "./snapshots.ts";

export const reviewDecisions = ["pass", "warn", "fail", "error", "unknown"] as const;

/** What a review says of a pair. `error`: the gate could not be judged; `unknown`: the review could not be read. */
export type ReviewDecision = (typeof reviewDecisions)[number];

/** Only these make a pair fresh: fresh is not passing, and undecided is not fresh. */
export type Settled = "pass" | "warn" | "fail";

export function isSettled(decision: ReviewDecision): decision is Settled {
  return decision === "pass" || decision === "warn" || decision === "fail";
}

/** Whether a settled pair fails `notes check`. */
export function isFailing(decision: Settled, failLevel: FailLevel): boolean {
  return decision === "fail" || (decision === "warn" && failLevel === "warn");
}
