/** Every dangerous moment that the crash suite stops the process at, in the order a run meets them. */
export const crashPoints = [
  "run-created",
  "lease-taken",
  "attempt-started",
  "reply-received",
  "reply-written-not-committed",
  "reply-recorded",
  "events-stored",
  "files-prepared",
  "file-renamed",
  "files-written",
  "events-projected",
  "turn-decided",
  "gates-finalizing",
  "gates-rows-written",
  "gates-finalized",
  "note-moved",
  "protocol-file-archived",
  "answer-received",
  "step-judged",
  "scenario-judged",
  "pack-judged",
  "iteration-judged",
  "run-ending",
  "run-ended",
] as const;

export type CrashPoint = (typeof crashPoints)[number];
