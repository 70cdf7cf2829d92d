import type { NotePathMove } from "../domain/relocation/plan-moves.ts";

/**
 * What hangs on the path of a note and must move with it. Moving notes knows nothing of who listens: hooks plan
 * before anything is changed, and a hook that refuses keeps everything where it is.
 */
export interface RelocationHook<Plan = unknown> {
  /** Throws `ConfigurationError` to refuse; `undefined` when it has nothing to do. Changes nothing. */
  plan(moves: readonly NotePathMove[]): Promise<Plan | undefined>;
  /** What `execute` will do, in sentences. */
  describe(plan: Plan): readonly string[];
  /** After the files have moved. Repeating it is harmless. */
  execute(plan: Plan): Promise<void>;
}
