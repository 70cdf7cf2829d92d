import type { AcceptanceSnapshot, GateSnapshot, NoteSnapshot } from "./snapshots.ts";
import { classifyStaleness, type StaleReason } from "./staleness.ts";

/** The newest reviews of a pair under one model that ended without a decision. */
export interface UndecidedReviews {
  readonly noteSha: string;
  readonly gateSha: string;
  /** How often exactly these versions ended undecided, newest last, with nothing decided in between. */
  readonly times: number;
}

export type PairState =
  | { readonly kind: "fresh" }
  | { readonly kind: "stale"; readonly reason: StaleReason }
  /** Stale, and asking again is not worth money unless a person says so. */
  | { readonly kind: "undecided"; readonly reason: StaleReason; readonly times: number };

export interface PairFacts {
  readonly note: Pick<NoteSnapshot, "path" | "blobSha">;
  readonly gate: Pick<GateSnapshot, "id" | "blobSha">;
  /** The versions of the verdict that would count if it fitted. */
  readonly earlier?: AcceptanceSnapshot;
  readonly undecided?: UndecidedReviews;
}

export const freshState: PairState = Object.freeze({ kind: "fresh" });
const stale: { readonly [reason in StaleReason]: PairState } = Object.freeze({
  "missing-review": Object.freeze({ kind: "stale", reason: "missing-review" }),
  "gate-changed": Object.freeze({ kind: "stale", reason: "gate-changed" }),
  "note-changed": Object.freeze({ kind: "stale", reason: "note-changed" }),
});

/** What targeting says of a pair that no verdict fits. */
export function classifyUnfitting(facts: PairFacts): PairState {
  const { note, gate, earlier, undecided } = facts;
  const reason = classifyStaleness(note, gate, earlier)?.reason ?? "note-changed";
  const sameVersions = undecided?.noteSha === note.blobSha && undecided.gateSha === gate.blobSha;
  if (undecided !== undefined && sameVersions && undecided.times > 0)
    return { kind: "undecided", reason, times: undecided.times };
  return stale[reason];
}

const undecidedLimit = 2;

export function isAskedTwice(undecidedTimes: number): boolean {
  return undecidedTimes >= undecidedLimit;
}

/** Whether `review` and `sweep` ask about it: undecided twice for the same versions is enough. */
export function isWorthAsking(state: PairState, retryUndecided: boolean): boolean {
  if (state.kind === "fresh") return false;
  return state.kind === "stale" || retryUndecided || !isAskedTwice(state.times);
}
