import { detectRenames, type KnownFile } from "../../domain/relocation/detect-renames.ts";
import type { NotePathMove } from "../../domain/relocation/plan-moves.ts";
import type { NoteFile } from "../../ports/note-source.ts";
import { LockedVerdicts } from "./filed-verdicts.ts";
import type { NotesTools } from "./notes-tools.ts";

/**
 * Notes that are gone and have reviews, or are being reviewed, and notes without reviews that have the same content:
 * moved by other means, such as `git mv`.
 */
export async function findMovedNotes(
  tools: NotesTools,
  allNotes: readonly NoteFile[],
): Promise<readonly NotePathMove[]> {
  const present = new Set(allNotes.map(({ path }) => path));
  const lock = new LockedVerdicts(await tools.files.read(tools.settings.lock));
  const [stored, asked] = (await tools.store?.read(async ({ reviews }) => [
    await reviews.notePaths.all(),
    (await reviews.runGates.unfiledNotes()).map(({ notePath }) => notePath),
  ])) ?? [[], []];
  const known = new Set([...lock.notePaths(), ...(stored ?? [])]);
  const gone = [...new Set([...known, ...(asked ?? [])])].filter((path) => !present.has(path));
  if (gone.length === 0) return [];
  const locked = gone.flatMap((path) => lock.blobsOf(path).map((blobSha) => ({ path, blobSha })));
  const versions = [...locked, ...(await storedVersions(tools, gone))];
  const vanished = new Map(versions.map((one) => [`${one.path}\n${one.blobSha}`, one]));
  const appeared = allNotes.filter(({ path }) => !known.has(path));
  const moves = detectRenames([...vanished.values()], appeared);
  const times = Map.groupBy(moves, ({ oldPath }) => oldPath);
  return moves.filter(({ oldPath }) => times.get(oldPath)?.length === 1);
}

async function storedVersions(
  { store }: NotesTools,
  gone: readonly string[],
): Promise<readonly KnownFile[]> {
  const names = new Set(gone);
  const found = await store?.read(async ({ reviews }) => {
    const versions: KnownFile[] = [];
    for (const path of gone) {
      const rows = await reviews.acceptances.currentOf(path);
      versions.push(...rows.map(({ noteBlob }) => ({ path, blobSha: noteBlob })));
    }
    for (const { notePath, noteBlob } of await reviews.runGates.unfiledNotes())
      if (names.has(notePath)) versions.push({ path: notePath, blobSha: noteBlob });
    return versions;
  });
  return found ?? [];
}
