import type { AcceptanceSnapshot, GateSnapshot, NoteSnapshot } from "./snapshots.ts";

/** Of several reasons, the first in this order is reported. */
export type StaleReason = "missing-review" | "gate-changed" | "note-changed";

/** Why a pair of a note and a gate must be reviewed. */
export interface Staleness {
  readonly reason: StaleReason;
}

type NoteVersion = Pick<NoteSnapshot, "path" | "blobSha">;
type GateVersion = Pick<GateSnapshot, "id" | "blobSha">;

// Shared, because half a million pairs are classified in one command.
const missingReview: Staleness = Object.freeze({ reason: "missing-review" });
const gateChanged: Staleness = Object.freeze({ reason: "gate-changed" });
const noteChanged: Staleness = Object.freeze({ reason: "note-changed" });

/**
 * `undefined` when fresh. The one place that decides it: no acceptance, then another gate, then another note. An
 * acceptance of another pair says nothing about this one.
 */
export function classifyStaleness(
  note: NoteVersion,
  gate: GateVersion,
  acceptance: AcceptanceSnapshot | undefined,
): Staleness | undefined {
  if (acceptance === undefined) return missingReview;
  if (acceptance.notePath !== note.path || acceptance.gateId !== gate.id) return missingReview;
  if (acceptance.acceptedGateSha !== gate.blobSha) return gateChanged;
  if (acceptance.acceptedNoteSha !== note.blobSha) return noteChanged;
  return undefined;
}

/** The same answer as a sentence with the versions it was decided from. */
export function explainStaleness(
  note: NoteVersion,
  gate: GateVersion,
  acceptance: AcceptanceSnapshot | undefined,
): string {
  const staleness = classifyStaleness(note, gate, acceptance);
  if (staleness === undefined)
    return `fresh: neither note ${short(note.blobSha)} nor gate ${short(gate.blobSha)} has changed since the verdict`;
  switch (staleness.reason) {
    case "missing-review":
      return "missing-review: this model has given no verdict on this note for this gate";
    case "gate-changed":
      return `gate-changed: the verdict is for gate ${short(acceptance?.acceptedGateSha)}, which is now ${short(gate.blobSha)}`;
    case "note-changed":
      return `note-changed: the verdict is for note ${short(acceptance?.acceptedNoteSha)}, which is now ${short(note.blobSha)}`;
  }
}

function short(sha: string | undefined): string {
  return (sha ?? "").slice(0, 10);
}
