import { parseFrontMatter } from "../../contract/documents/front-matter.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NoteFile, PassedOver } from "../../ports/note-source.ts";
import { type ChangesSince, loadChanges } from "./changes-since.ts";
import { listTree, type NoteTree } from "./list-tree.ts";
import { chooseGates, type Gate, loadGates } from "./load-gates.ts";
import type { NotesTools } from "./notes-tools.ts";

/** What a command asks about. */
export interface NotesScope {
  /** Files or folders, relative to the root; nothing is everything. */
  readonly paths: readonly string[];
  readonly gates: readonly string[];
  readonly changedSince?: string;
  /** Only notes whose front matter has these values. */
  readonly where?: readonly { readonly key: string; readonly value: string }[];
}

/** All notes and gates of the project, and those asked about. */
export interface NotesWorld {
  readonly allNotes: readonly NoteFile[];
  readonly allGates: readonly Gate[];
  readonly notes: readonly NoteFile[];
  readonly gates: readonly Gate[];
  readonly skipped: readonly PassedOver[];
  /** What `changedSince` found. */
  readonly changes?: ChangesSince;
  /** Whether a pair is asked about; absent: all pairs of the notes and gates are. */
  readonly covers?: (notePath: string, gateId: string) => boolean;
}

export async function loadWorld(
  tools: NotesTools,
  scope: NotesScope,
  tree?: NoteTree,
): Promise<NotesWorld> {
  const { notes: allNotes, gateFiles, skipped } = tree ?? (await listTree(tools));
  const allGates = await loadGates(tools, gateFiles);
  const notes = chooseNotes(tools, allNotes, scope);
  const world = { allNotes, allGates, notes, gates: chooseGates(allGates, scope.gates), skipped };
  if (scope.changedSince === undefined) return world;
  return onlyChanged(world, await loadChanges(tools, scope.changedSince));
}

/** The pairs of changed notes and gates, and those whose lines in the lock differ. */
function onlyChanged(world: NotesWorld, changes: ChangesSince): NotesWorld {
  const gates = new Set(
    world.gates.filter(({ path }) => changes.gateFiles.has(path)).map(({ id }) => id),
  );
  const pairs = new Set(changes.locked.map(({ notePath, gateId }) => `${notePath}\n${gateId}`));
  const lines = new Set(changes.locked.map(({ notePath }) => notePath));
  const isConcerned = ({ path }: NoteFile): boolean =>
    gates.size > 0 || changes.notes.has(path) || lines.has(path);
  return {
    ...world,
    changes,
    notes: world.notes.filter(isConcerned),
    covers: (note, gate) =>
      changes.notes.has(note) || gates.has(gate) || pairs.has(`${note}\n${gate}`),
  };
}

function chooseNotes(
  tools: NotesTools,
  all: readonly NoteFile[],
  { paths, where = [] }: NotesScope,
): readonly NoteFile[] {
  const chosen = paths.length === 0 ? all : notesAt(tools, all, paths);
  return where.length === 0 ? chosen : chosen.filter((note) => hasValues(tools, note, where));
}

/** A folder selects all notes below it, as `notes.roots` does. */
function notesAt(
  tools: NotesTools,
  all: readonly NoteFile[],
  paths: readonly string[],
): readonly NoteFile[] {
  const chosen = new Set<NoteFile>();
  for (const written of paths) {
    const path = written.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "") || ".";
    const found = all.filter((note) => note.path === path || isBelow(path, note.path));
    if (found.length === 0) throw nothingAt(tools, path);
    for (const note of found) chosen.add(note);
  }
  return [...chosen];
}

function isBelow(folder: string, path: string): boolean {
  return folder === "." || path.startsWith(`${folder}/`);
}

function nothingAt({ files }: NotesTools, path: string): ConfigurationError {
  const isFolder = files.exists(path) && !path.endsWith(".md");
  return new ConfigurationError(
    isFolder ? `There are no notes below ${path}.` : `There is no note ${path}.`,
    {
      code: "note-unknown",
      facts: { path },
      hint: "Notes are the markdown files below notes.roots of signoff.yaml, without notes.exclude.",
    },
  );
}

function hasValues(
  { source }: NotesTools,
  note: NoteFile,
  where: readonly { readonly key: string; readonly value: string }[],
): boolean {
  const loaded = source.readText(note.path);
  if (loaded.kind !== "text") return false;
  const frontMatter = parseFrontMatter(loaded.text);
  if (frontMatter.kind !== "read") return false;
  return where.every(({ key, value }) => {
    const found = Object.hasOwn(frontMatter.values, key) ? frontMatter.values[key] : [];
    return [found].flat().some((one) => one !== undefined && String(one) === value);
  });
}
