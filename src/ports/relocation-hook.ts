import type { NotePathMove } from "../domain/relocation/plan-moves.ts";

/**
 * Moves data that is keyed by a note's path along with the note. All hooks plan before anything is changed, and if one
 * refuses, nothing is moved.
 */
export interface RelocationHook<Plan = unknown> {
  /** Throws `ConfigurationError` to refuse; `undefined` when it has nothing to do. Changes nothing. */
  plan(moves: readonly NotePathMove[]): Promise<Plan | undefined>;
  /** What `execute` will do, in sentences. */
  describe(plan: Plan): readonly string[];
  /** After the files have moved. Repeating it is harmless. */
  execute(plan: Plan): Promise<void>;
}
