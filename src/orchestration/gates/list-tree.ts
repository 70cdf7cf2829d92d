import { isExcluded, type NotesSettings } from "../../domain/gates/notes-settings.ts";
import type { FileTree, NoteFile, PassedOver } from "../../ports/note-source.ts";
import type { NotesTools } from "./notes-tools.ts";

export interface NoteTree {
  readonly notes: readonly NoteFile[];
  readonly gateFiles: readonly NoteFile[];
  readonly skipped: readonly PassedOver[];
}

/** One listing for notes and gates together. */
export async function listTree(tools: NotesTools): Promise<NoteTree> {
  return (await findTree(tools)).load();
}

export async function findTree({
  settings,
  source,
}: NotesTools): Promise<{ readonly state: string; load(): Promise<NoteTree> }> {
  const found = await source.findTree(foldersOf(settings));
  return { state: found.state, load: async () => sortOut(settings, await found.load()) };
}

function foldersOf({ roots, gates }: NotesSettings): readonly string[] {
  return [...new Set([...roots, gates])];
}

function sortOut({ roots, exclude, gates }: NotesSettings, { files, skipped }: FileTree): NoteTree {
  const isGate = (path: string): boolean => path.startsWith(`${gates}/`);
  const isNote = (path: string): boolean =>
    !isGate(path) && isBelow(path, roots) && !isExcluded(path, exclude);
  return {
    notes: files.filter(({ path }) => isNote(path)),
    gateFiles: files.filter(({ path }) => isGate(path)),
    skipped: skipped.filter(({ path }) => !isExcluded(path, exclude)),
  };
}

function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === "." || path.startsWith(`${folder}/`));
}
