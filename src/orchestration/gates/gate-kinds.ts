/** Names of the job and of the event that becomes rows. Kept apart from what they name, which only notes load. */
export const gateReviewKind = "gate-review";
export const gateReviewEvents = ["gates-reviewed"] as const;
