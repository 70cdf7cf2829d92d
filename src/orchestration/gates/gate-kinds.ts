/** Names of the jobs and events of reviews. Kept apart from what they name, which only notes load. */
export const gateReviewKind = "gate-review";
export const gateSweepKind = "gate-sweep";
export const gateReviewEvents = ["gates-reviewed"] as const;
export const callReviewedEvent = "call-reviewed";
