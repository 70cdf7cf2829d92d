import { isExcluded, isNotePath, type NotesSettings } from "../../domain/gates/notes-settings.ts";
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
  const found = await source.findTree([...new Set([...settings.roots, settings.gates])]);
  return { state: found.state, load: async () => sortOut(settings, await found.load()) };
}

/** A text about the gates of its folder, not one of them. */
function isGuide(path: string): boolean {
  return /(?:^|\/)(?:readme|index)\.md$/i.test(path);
}

function sortOut(settings: NotesSettings, { files, skipped }: FileTree): NoteTree {
  const { exclude, gates } = settings;
  const isInGates = (path: string): boolean => path.startsWith(`${gates}/`);
  return {
    notes: files.filter(({ path }) => isNotePath(settings, path)),
    gateFiles: files.filter(({ path }) => isInGates(path) && !isGuide(path)),
    skipped: skipped.filter(
      ({ path }) =>
        path !== gates && !isExcluded(path, exclude) && !(isInGates(path) && isGuide(path)),
    ),
  };
}
