import type { ReviewDecision } from "./decision.ts";
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
  | { readonly kind: "fresh"; readonly by: "store" | "lock" }
  | { readonly kind: "stale"; readonly reason: StaleReason }
  /** Stale, and asking again is not worth money unless a person says so. */
  | { readonly kind: "undecided"; readonly reason: StaleReason; readonly times: number };

export interface PairFacts {
  readonly note: Pick<NoteSnapshot, "path" | "blobSha">;
  readonly gate: Pick<GateSnapshot, "id" | "blobSha">;
  readonly stored?: AcceptanceSnapshot;
  /** The pair's line in `signoff.lock`; either source makes a pair fresh. */
  readonly locked?: AcceptanceSnapshot;
  readonly undecided?: UndecidedReviews;
}

const freshByStore: PairState = Object.freeze({ kind: "fresh", by: "store" });
const freshByLock: PairState = Object.freeze({ kind: "fresh", by: "lock" });
const stale: { readonly [reason in StaleReason]: PairState } = Object.freeze({
  "missing-review": Object.freeze({ kind: "stale", reason: "missing-review" }),
  "gate-changed": Object.freeze({ kind: "stale", reason: "gate-changed" }),
  "note-changed": Object.freeze({ kind: "stale", reason: "note-changed" }),
});

/** What targeting says of a pair. When both sources are stale, the store's reason is given: it knows more. */
export function classifyPair(facts: PairFacts): PairState {
  const { note, gate, stored, locked, undecided } = facts;
  const byStore = classifyStaleness(note, gate, stored);
  if (byStore === undefined) return freshByStore;
  const byLock = classifyStaleness(note, gate, locked);
  if (byLock === undefined) return freshByLock;
  const { reason } = stored === undefined ? byLock : byStore;
  const sameVersions = undecided?.noteSha === note.blobSha && undecided.gateSha === gate.blobSha;
  if (undecided !== undefined && sameVersions && undecided.times > 0)
    return { kind: "undecided", reason, times: undecided.times };
  return stale[reason];
}

const undecidedLimit = 2;

/** Whether `review` and `sweep` ask about it: undecided twice for the same versions is enough. */
export function isWorthAsking(state: PairState, retryUndecided: boolean): boolean {
  if (state.kind === "fresh") return false;
  return state.kind === "stale" || retryUndecided || state.times < undecidedLimit;
}

/** Counts trailing undecided reviews of exactly these versions; `decisions` is oldest first. */
export function countUndecided(decisions: readonly ReviewDecision[]): number {
  let times = 0;
  for (const decision of decisions)
    times = decision === "unknown" || decision === "error" ? times + 1 : 0;
  return times;
}
