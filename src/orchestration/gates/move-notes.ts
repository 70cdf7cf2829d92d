import type { NotePathMove } from "../../domain/relocation/plan-moves.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import { adoptMoves, type Relocation, relocateNotes } from "../relocation/relocate-notes.ts";
import { listTree } from "./list-tree.ts";
import type { WritingTools } from "./notes-tools.ts";
import { textOf } from "./plan-work.ts";
import { createReviewHook, findAdoptable } from "./relocation-hook.ts";

export interface MoveAct {
  readonly apply: boolean;
  readonly by: string;
  readonly crash: CrashPoints;
  /** The tools for the files as they are after the move. */
  readonly reopen: () => Promise<WritingTools>;
}

/** Moves notes together with their reviews. */
export async function moveNotes(
  tools: WritingTools,
  move: NotePathMove,
  act: MoveAct,
): Promise<Relocation> {
  return relocateNotes(await partsOf(tools, act), move, act);
}

/** Follows notes that were moved by other means, such as `git mv`. */
export async function adoptMovedNotes(tools: WritingTools, act: MoveAct): Promise<Relocation> {
  return adoptMoves(await partsOf(tools, act), await findAdoptable(tools), act);
}

async function partsOf(tools: WritingTools, act: MoveAct) {
  const { notes } = await listTree(tools);
  return {
    files: tools.files,
    crash: act.crash,
    notes: notes.map(({ path }) => path),
    readText: (path: string) => textOf(tools, path),
    hooks: [createReviewHook(tools, { by: act.by, reopen: act.reopen })],
  };
}
