import type { StoredEvent } from "./journal.ts";

/**
 * Turns stored events into files or rows. Called after the events are stored, with one or more
 * events of one run in order. May be called again for the same events: applying must be idempotent by (run, seq).
 */
export interface Projector {
  /** Kinds of the jobs it is for; absent: all. Loops of different features emit the same events. */
  readonly jobs?: readonly string[];
  readonly kinds: readonly string[];
  /** Rows are written where the run is executed; files, which is the default, only where the project's folder is. */
  readonly writes?: "rows";
  apply(events: readonly StoredEvent[]): Promise<void>;
}
