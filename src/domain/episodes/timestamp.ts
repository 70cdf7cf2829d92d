import type { Candidate } from "../drafting/candidate.ts";
import { compareText } from "../values/compare-text.ts";
import { type Instant, instantFromMillis, millisOf } from "../values/instant.ts";

/**
 * Order in time of stamps as files hold them. Workspaces of the original program have offsets and microseconds,
 * and their text is kept as written, so text order is not enough.
 */
export function compareTimestamps(left: Instant, right: Instant): number {
  return millisOf(left) - millisOf(right) || belowMillis(left) - belowMillis(right);
}

/** The same moment in UTC, for everything that leaves the workspace's files. */
export function inUtc(at: Instant): Instant {
  return at.endsWith("Z") ? at : instantFromMillis(millisOf(at));
}

/** With a time zone, and a moment that exists. */
export function isTimestamp(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) &&
    !Number.isNaN(millisOf(text as Instant))
  );
}

/** The candidate a loop starts from: the newest, ties broken by id so that every machine picks the same one. */
export function seedCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort(byAge).at(-1);
}

export function byAge(left: Candidate, right: Candidate): number {
  return (
    compareTimestamps(left.createdAt, right.createdAt) ||
    compareText(left.candidateId, right.candidateId)
  );
}

function belowMillis(at: Instant): number {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? "";
  return Number(`0.${fraction.slice(3) || "0"}`);
}
