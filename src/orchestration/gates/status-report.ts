import type { Settled } from "../../domain/gates/decision.ts";
import type { NotePathMove } from "../../domain/relocation/plan-moves.ts";
import type { PassedOver } from "../../ports/note-source.ts";
import type { NotesScope } from "./load-world.ts";
import type { WorkCost } from "./plan-work.ts";
import type { NoteProblem, RulingCounts } from "./select-pairs.ts";

export const adoptMovesCommand = "signoff notes mv --adopt --apply";

export type StatusReason = "missing-review" | "gate-changed" | "note-changed" | "undecided";

export interface StalePair {
  readonly note: string;
  readonly gate: string;
  readonly model: string;
  readonly reason: StatusReason;
  /** How often these versions were left undecided. */
  readonly undecidedTimes?: number;
  readonly noteBlob: string;
  readonly acceptedNoteBlob?: string;
}

/** Which pairs are stale and why, and what reviewing them would cost. */
export interface NotesStatus {
  readonly models: readonly string[];
  readonly notes: number;
  readonly gates: number;
  readonly pairs: number;
  readonly fresh: { readonly [decision in Settled]: number };
  readonly counts: { readonly [reason in StatusReason]: number };
  /** Fresh pairs whose texts changed only where no review looks. */
  readonly trivial: number;
  /** Fresh pairs with a person's ruling. */
  readonly ruled: RulingCounts;
  /** There is no store here: what is fresh is so by the lock alone. */
  readonly attested: boolean;
  readonly stale: readonly StalePair[];
  /** Notes that were moved without their reviews. */
  readonly moved: readonly NotePathMove[];
  readonly cost: WorkCost;
  readonly problems: readonly NoteProblem[];
  readonly skipped: readonly PassedOver[];
}

export interface StatusRequest extends NotesScope {
  readonly models: readonly string[];
  readonly reasons: readonly StatusReason[];
  readonly strictFormat: boolean;
}
