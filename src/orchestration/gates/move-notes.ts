import { exportFolder, withNotePath } from "../../contract/gates/exported-review.ts";
import { parseLock, renderLock } from "../../contract/gates/lock-file.ts";
import { isExcluded, isNotePath } from "../../domain/gates/notes-settings.ts";
import type { NotePathMove } from "../../domain/relocation/plan-moves.ts";
import { counted } from "../../domain/values/counted.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { RelocationHook } from "../../ports/relocation-hook.ts";
import type { NotePathCounts } from "../../ports/review-repos.ts";
import { adoptMoves, type Relocation, relocateNotes } from "../relocation/relocate-notes.ts";
import { acknowledgeRewritten } from "./acknowledge-rewritten.ts";
import { knownModels } from "./current-acceptances.ts";
import { renameFindings } from "./finding-details.ts";
import { listTree } from "./list-tree.ts";
import { loadWorld } from "./load-world.ts";
import { writeLock } from "./lock-file.ts";
import { findMovedNotes } from "./moved-notes.ts";
import type { WritingTools } from "./notes-tools.ts";
import { noteTextOf } from "./plan-work.ts";
import { lockFileGuard, renameRulings } from "./rulings.ts";
import { selectPairs } from "./select-pairs.ts";

export interface MoveAct {
  readonly apply: boolean;
  readonly by: string;
  readonly crash: CrashPoints;
  /** The tools for the files after the move. */
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
  return adoptMoves(
    await partsOf(tools, act),
    await findMovedNotes(tools, (await listTree(tools)).notes),
    act,
  );
}

async function partsOf(tools: WritingTools, act: MoveAct) {
  const { notes } = await listTree(tools);
  return {
    files: tools.files,
    crash: act.crash,
    notes: notes.map(({ path }) => path),
    readText: (path: string) => noteTextOf(tools, path),
    hooks: [createReviewHook(tools, act)],
  };
}

interface MovePart {
  readonly move: NotePathMove;
  readonly counts: NotePathCounts;
  readonly exports: readonly string[];
}

/** Takes reviews along with their note: rows, exported files, lock. Refuses before anything has moved. */
function createReviewHook(
  tools: WritingTools,
  how: Pick<MoveAct, "by" | "reopen">,
): RelocationHook<readonly MovePart[]> {
  const { store, settings, files } = tools;
  return {
    async plan(moves) {
      const leaving = new Set(moves.map(({ oldPath }) => oldPath));
      const parts: MovePart[] = [];
      const collisions: string[] = [];
      for (const move of moves) {
        const [counts, there] = await store.read(async ({ reviews }) => [
          await reviews.notePaths.count(move.oldPath),
          await reviews.notePaths.count(move.newPath),
        ]);
        const from = await files.list(exportFolder(settings.exports, move.oldPath));
        const to = await files.list(exportFolder(settings.exports, move.newPath));
        const isFree = leaving.has(move.newPath);
        if (sum(counts) > 0 && sum(there) > 0 && !isFree)
          collisions.push(`the store has reviews of ${move.newPath} already`);
        if (from.length > 0 && to.length > 0 && !isFree)
          collisions.push(`${exportFolder(settings.exports, move.newPath)} exists already`);
        parts.push({ move, counts, exports: from });
      }
      if (collisions.length > 0)
        throw new ConfigurationError(`Nothing was moved: ${collisions.join("; ")}.`, {
          code: "move-refused",
          facts: { collisions },
        });
      return parts;
    },
    describe: (parts) =>
      parts.flatMap(({ move, counts, exports }) => [
        `${move.newPath}: ${[counted(counts.reviews, "review"), counted(counts.acceptances, "acceptance"), counted(counts.runGates, "run pair")].join(", ")} follow`,
        ...(exports.length > 0
          ? [`${move.newPath}: ${counted(exports.length, "exported review")} follow`]
          : []),
        ...leavingNotes(settings, move.newPath),
      ]),
    async execute(parts) {
      const moves = parts.map(({ move }) => move);
      await moveExports(tools, parts);
      await rekeyRows(tools, parts);
      await renameLines(tools, parts);
      const moved = await how.reopen();
      const world = await loadWorld(moved, { paths: [], gates: [] });
      const { stale } = await selectPairs(moved, world, { models: await knownModels(moved) });
      await acknowledgeRewritten(moved, stale, { by: how.by, moves });
      await writeLock(moved);
    },
  };
}

/** A note that leaves the roots is a file like any other. */
function leavingNotes(settings: WritingTools["settings"], path: string): readonly string[] {
  if (isNotePath(settings, path)) return [];
  const { roots, exclude } = settings;
  const where = isExcluded(path, exclude)
    ? `is excluded by notes.exclude (${exclude.join(", ")})`
    : `is outside notes.roots (${roots.join(", ")})`;
  return [`${path} ${where}: it is no longer reviewed or checked; its reviews stay on record`];
}

async function moveExports({ files, settings }: WritingTools, parts: readonly MovePart[]) {
  for (const { move, exports } of parts)
    for (const path of exports) {
      const content = await files.read(path);
      if (content === undefined) continue;
      const folder = exportFolder(settings.exports, move.oldPath);
      const target = exportFolder(settings.exports, move.newPath) + path.slice(folder.length);
      await files.write([{ path: target, content: withNotePath(content, move.newPath) }]);
      await files.remove(path);
    }
}

/** Through temporary names, so that notes can swap paths. */
async function rekeyRows({ store }: WritingTools, parts: readonly MovePart[]): Promise<void> {
  await store.transaction(async ({ reviews }) => {
    const between = (at: number): string => `/moving/${at}`;
    for (const [at, { move }] of parts.entries())
      await reviews.notePaths.rekey(move.oldPath, between(at));
    for (const [at, { move }] of parts.entries())
      await reviews.notePaths.rekey(between(at), move.newPath);
  });
}

/** Also renames lines that only other people's stores know. */
async function renameLines(tools: WritingTools, parts: readonly MovePart[]): Promise<void> {
  const { files, settings, exclusively } = tools;
  const renamed = new Map(parts.map(({ move }) => [move.oldPath, move.newPath]));
  await renameRulings(tools, renamed);
  await exclusively(lockFileGuard, async () => {
    await renameFindings(tools, renamed);
    const before = await files.read(settings.lock);
    if (before === undefined) return;
    const { lines, problems } = parseLock(before);
    const after = renderLock(
      lines.map((line) => ({ ...line, notePath: renamed.get(line.notePath) ?? line.notePath })),
      problems.map(({ written }) => written),
    );
    if (after !== before) await files.write([{ path: settings.lock, content: after }]);
  });
}

function sum(counts: NotePathCounts): number {
  return counts.runGates + counts.reviews + counts.acceptances + counts.dismissals;
}
