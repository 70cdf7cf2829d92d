import type { StoredEvent } from "./journal.ts";

/**
 * Turns stored events into files or rows. Called at home, in order, after the event is stored. May be called
 * again for an event it has seen: applying must be idempotent by (run, seq).
 */
export interface Projector {
  /** Kinds of the jobs it is for; absent: all. Loops of different features emit the same events. */
  readonly jobs?: readonly string[];
  readonly kinds: readonly string[];
  apply(event: StoredEvent): Promise<void>;
}
