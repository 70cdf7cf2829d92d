import { findWrittenLinks } from "../../contract/documents/written-links.ts";
import {
  applyRewrites,
  type LinkingNote,
  type MovePlan,
  type MoveRefusal,
  movedPath,
  movesOfFolder,
  type NotePathMove,
  planMoves,
} from "../../domain/relocation/plan-moves.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { NoteFiles } from "../../ports/note-files.ts";
import type { RelocationHook } from "../../ports/relocation-hook.ts";

export interface RelocationTools {
  readonly files: NoteFiles;
  readonly crash: CrashPoints;
  /** Paths of all notes. */
  readonly notes: readonly string[];
  readonly readText: (path: string) => string;
  readonly hooks: readonly RelocationHook[];
}

export interface Relocation {
  readonly plan: MovePlan;
  /** What hooks will do or did. */
  readonly notes: readonly string[];
  readonly applied: boolean;
}

/**
 * Moves a note or a folder of notes and rewrites the links to and from it. Everything, hooks included, is planned before
 * anything is changed. Repeating the command finishes a move that a crash interrupted: moved files are left alone, and
 * the hooks run again.
 */
export async function relocateNotes(
  tools: RelocationTools,
  move: NotePathMove,
  { apply }: { readonly apply: boolean },
): Promise<Relocation> {
  const moves = movesOf(tools, move);
  const arrived = moves.length === 0 ? arrivedMoves(tools, move) : [];
  if (moves.length === 0 && arrived.length === 0) {
    throw new ConfigurationError(`There is no note or folder of notes at ${move.oldPath}.`, {
      code: "note-unknown",
      facts: { path: move.oldPath },
    });
  }
  const plan =
    moves.length === 0 ? { moves: arrived, edits: [], refusals: [] } : planOf(tools, moves);
  if (plan.refusals.length > 0) throw refused(plan.refusals);
  const planned = await planHooks(tools.hooks, plan.moves);
  const notes = planned.flatMap(({ hook, made }) => hook.describe(made));
  if (!apply) return { plan, notes, applied: false };
  if (moves.length > 0) await execute(tools, plan);
  for (const { hook, made } of planned) await hook.execute(made);
  return { plan, notes, applied: true };
}

/** For notes that were moved by other means and are otherwise unchanged: rewrites the links and runs the hooks. */
export async function adoptMoves(
  tools: RelocationTools,
  moves: readonly NotePathMove[],
  { apply }: { readonly apply: boolean },
): Promise<Relocation> {
  const plan = planAdoption(tools, moves);
  const planned = await planHooks(tools.hooks, moves);
  const notes = planned.flatMap(({ hook, made }) => hook.describe(made));
  if (!apply) return { plan, notes, applied: false };
  await rewriteLinks(tools, plan);
  for (const { hook, made } of planned) await hook.execute(made);
  return { plan, notes, applied: true };
}

/** The files are at their new paths, but their links are still those of the old ones. */
function planAdoption(tools: RelocationTools, moves: readonly NotePathMove[]): MovePlan {
  const origins = new Map(moves.map(({ oldPath, newPath }) => [newPath, oldPath]));
  const { edits } = planMoves({
    moves,
    notes: linkingNotes(tools, (path) => origins.get(path) ?? path),
    exists: () => true,
  });
  const arrived = edits.map(({ path, rewrites }) => ({ path: movedPath(path, moves), rewrites }));
  return { moves, edits: arrived, refusals: [] };
}

async function planHooks(hooks: readonly RelocationHook[], moves: readonly NotePathMove[]) {
  const planned: { readonly hook: RelocationHook; readonly made: unknown }[] = [];
  for (const hook of hooks) {
    const made = await hook.plan(moves);
    if (made !== undefined) planned.push({ hook, made });
  }
  return planned;
}

function movesOf({ notes }: RelocationTools, { oldPath, newPath }: NotePathMove) {
  if (notes.includes(oldPath)) {
    const target = newPath.endsWith("/")
      ? newPath + oldPath.slice(oldPath.lastIndexOf("/") + 1)
      : newPath;
    if (!target.endsWith(".md")) {
      throw new ConfigurationError(`${target} is not the name of a note: it must end in .md.`, {
        code: "move-refused",
        facts: { path: target },
      });
    }
    return [{ oldPath, newPath: target }];
  }
  return movesOfFolder(oldPath.replace(/\/$/, ""), newPath.replace(/\/$/, ""), notes);
}

/** The old place is empty and the new one is not: the files of this move have arrived before. */
function arrivedMoves({ notes, files }: RelocationTools, { oldPath, newPath }: NotePathMove) {
  if (files.exists(oldPath)) return [];
  if (notes.includes(newPath)) return [{ oldPath, newPath }];
  const [from, to] = [oldPath.replace(/\/$/, ""), newPath.replace(/\/$/, "")];
  return movesOfFolder(to, from, notes).map((back) => ({
    oldPath: back.newPath,
    newPath: back.oldPath,
  }));
}

function planOf(tools: RelocationTools, moves: readonly NotePathMove[]): MovePlan {
  return planMoves({
    moves,
    notes: linkingNotes(tools, (path) => path),
    exists: (path) => tools.files.exists(path),
  });
}

function linkingNotes(
  { notes, readText }: RelocationTools,
  pathBefore: (path: string) => string,
): readonly LinkingNote[] {
  return notes.map((path) => ({
    path: pathBefore(path),
    links: findWrittenLinks(readText(path)),
  }));
}

/** Links first, while their offsets hold, then the files. */
async function execute(tools: RelocationTools, plan: MovePlan): Promise<void> {
  const { files, crash } = tools;
  await rewriteLinks(tools, plan);
  for (const { oldPath, newPath } of plan.moves) {
    await files.move(oldPath, newPath);
    crash.reach("note-moved");
  }
}

async function rewriteLinks({ files, readText }: RelocationTools, plan: MovePlan): Promise<void> {
  const edited = plan.edits.map(({ path, rewrites }) => ({
    path,
    content: applyRewrites(readText(path), rewrites),
  }));
  await files.write(edited);
}

const reasons: { readonly [kind in MoveRefusal["kind"]]: string } = {
  "source-missing": "is not there",
  "destination-exists": "exists already",
  "same-place": "is where it should go",
  "moved-twice": "would be moved twice",
  "same-destination": "would be the destination twice",
  "outside-root": "is outside the project",
};

function refused(refusals: readonly MoveRefusal[]): ConfigurationError {
  const lines = refusals.map(({ kind, path }) => `${path} ${reasons[kind]}`);
  return new ConfigurationError(`Nothing was moved: ${lines.join("; ")}.`, {
    code: "move-refused",
    facts: { refusals: lines },
  });
}
