export const CODER_STATUSES = [
  "patched",
  "no_change",
  "needs_decision",
  "failed",
  "interrupted",
] as const;

/** What the coder claims; the engine alone says `interrupted`. */
export type CoderStatus = (typeof CODER_STATUSES)[number];
