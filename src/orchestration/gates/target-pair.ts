import type { Settled } from "../../domain/gates/decision.ts";
import type { PairFacts, PairState } from "../../domain/gates/pair-state.ts";
import type { PairRuling } from "../../domain/gates/rulings.ts";
import type { AcceptanceSnapshot } from "../../domain/gates/snapshots.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import type { PairVersions } from "../../ports/review-repos.ts";
import type { Filed } from "./filed-verdicts.ts";
import type { Gate } from "./load-gates.ts";

export interface TargetPair {
  readonly note: NoteFile;
  readonly gate: Gate;
  /** The partition it is judged under. */
  readonly model: string;
  readonly state: PairState;
  /** The verdict that counts; of a stale pair, the one that counted before. */
  readonly accepted?: Accepted;
  /** Fresh although the texts differ: nothing that the review rested on has changed. */
  readonly trivial: boolean;
}

/** The verdict that counts for a pair. `decision` is the one after people's rulings. */
export interface Accepted extends Filed {
  /** What was filed, before rulings. */
  readonly says: Settled;
  /** How many of its findings are dismissed. */
  readonly dismissed: number;
  readonly override?: PairRuling;
}

/** Whether neither review nor ruling asks for anything. */
export function isClear({ says, decision }: Accepted): boolean {
  return says === "pass" && decision === "pass";
}

export function pairKey(notePath: string, gateId: string, model: string): string {
  return `${notePath}\n${gateId}\n${model}`;
}

/** The accepted versions in the domain's terms. */
export function snapshotOf(
  { note, gate, model }: Pick<TargetPair, "note" | "gate" | "model">,
  accepted: Pick<Accepted, "noteBlob" | "gateBlob"> | undefined,
): AcceptanceSnapshot | undefined {
  return (
    accepted && {
      ...{ notePath: note.path, gateId: gate.id, modelId: model },
      acceptedNoteSha: accepted.noteBlob,
      acceptedGateSha: accepted.gateBlob,
    }
  );
}

/** The pair's present versions, as rows name them. */
export function versionsOf({ note, gate }: Pick<PairFacts, "note" | "gate">): PairVersions {
  return {
    notePath: note.path,
    noteBlob: note.blobSha,
    gateId: gate.id,
    gateBlob: gate.blobSha,
  };
}
