import { lazily } from "../values/lazily.ts";
import { encodeDestination, relativePath, resolveLink } from "./link-target.ts";
import type { NoteLink } from "./note-link.ts";
import { rewriteWiki, WikiNames } from "./wiki-link.ts";

export interface NotePathMove {
  readonly oldPath: string;
  readonly newPath: string;
}

/** A note as moving needs it: where it is and what it links to. */
export interface LinkingNote {
  readonly path: string;
  readonly links: readonly NoteLink[];
}

export interface LinkRewrite {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** The links of one note that change; `path` is where the note is before the move. */
export interface NoteEdit {
  readonly path: string;
  readonly rewrites: readonly LinkRewrite[];
}

export type MoveRefusal =
  | { readonly kind: "source-missing"; readonly path: string }
  | { readonly kind: "destination-exists"; readonly path: string }
  | { readonly kind: "same-place"; readonly path: string }
  | { readonly kind: "moved-twice"; readonly path: string }
  | { readonly kind: "same-destination"; readonly path: string }
  | { readonly kind: "outside-root"; readonly path: string };

export interface MovePlan {
  readonly moves: readonly NotePathMove[];
  readonly edits: readonly NoteEdit[];
  /** Anything here means that nothing may be changed. */
  readonly refusals: readonly MoveRefusal[];
}

export interface MoveRequest {
  readonly moves: readonly NotePathMove[];
  readonly notes: readonly LinkingNote[];
  /** Paths of all notes before the move, for links that only give a name; by default those of `notes`. */
  readonly paths?: readonly string[];
  /** Every path that exists under the root, notes or not. */
  readonly exists: (path: string) => boolean;
}

/** Where a note is after moves that were made one after the other. */
export function movedPath(path: string, moves: readonly NotePathMove[]): string {
  let at = path;
  for (const { oldPath, newPath } of moves) if (oldPath === at) at = newPath;
  return at;
}

/** What a move changes, as data: nothing is touched before the whole plan is known to be possible. */
export function planMoves(request: MoveRequest): MovePlan {
  const { moves } = request;
  const destinations = new Map(moves.map((move) => [move.oldPath, move.newPath]));
  const wiki = wikiMoves(request, destinations);
  const edits = request.notes.flatMap((note) => {
    const rewrites = note.links.flatMap((link) =>
      link.kind === "wiki" ? wiki(note.path, link) : rewriteOf(note.path, link, destinations),
    );
    return rewrites.length === 0 ? [] : [{ path: note.path, rewrites }];
  });
  return { moves, edits, refusals: findRefusals(request) };
}

/** The moves of all files of a folder; the trailing slash keeps `notes/a` from matching `notes/ab`. */
export function movesOfFolder(
  oldFolder: string,
  newFolder: string,
  paths: readonly string[],
): readonly NotePathMove[] {
  return paths
    .filter((path) => path.startsWith(`${oldFolder}/`))
    .map((path) => ({ oldPath: path, newPath: newFolder + path.slice(oldFolder.length) }));
}

/** Offsets are those of the text the links were read from; every other byte stays as it is. */
export function applyRewrites(text: string, rewrites: readonly LinkRewrite[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const rewrite of [...rewrites].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, rewrite.start), rewrite.after);
    done = rewrite.end;
  }
  return pieces.join("") + text.slice(done);
}

function wikiMoves(request: MoveRequest, destinations: ReadonlyMap<string, string>) {
  const { notes, paths = notes.map(({ path }) => path) } = request;
  const movedTo = (path: string): string => destinations.get(path) ?? path;
  const before = lazily(() => new WikiNames(paths));
  const after = lazily(() => new WikiNames(paths.map(movedTo)));
  return (fromPath: string, link: NoteLink): readonly LinkRewrite[] => {
    const { start, end, destination } = link;
    const about = { fromPath, newFromPath: movedTo(fromPath), movedTo };
    const to = rewriteWiki(destination, { ...about, before: before(), after: after() });
    return to === undefined || to === destination
      ? []
      : [{ start, end, before: destination, after: to }];
  };
}

function rewriteOf(
  notePath: string,
  link: NoteLink,
  destinations: ReadonlyMap<string, string>,
): readonly LinkRewrite[] {
  const target = resolveLink(notePath, link.destination);
  if (target.kind !== "path") return [];
  const newNotePath = destinations.get(notePath) ?? notePath;
  const newTarget = movedTarget(target.path, destinations);
  if (newNotePath === notePath && newTarget === target.path) return [];
  const after = writtenLike(link, newNotePath, newTarget) + target.suffix;
  const unchanged =
    after === link.destination || leadsTo(newNotePath, link.destination) === newTarget;
  if (unchanged) return [];
  return [{ start: link.start, end: link.end, before: link.destination, after }];
}

/** Links may leave out `.md`; then the moved target leaves it out as well. */
function movedTarget(path: string, destinations: ReadonlyMap<string, string>): string {
  const exact = destinations.get(path);
  if (exact !== undefined) return exact;
  const bare = destinations.get(`${path}.md`);
  return bare === undefined ? path : bare.replace(/\.md$/, "");
}

function leadsTo(fromPath: string, destination: string): string | undefined {
  const target = resolveLink(fromPath, destination);
  return target.kind === "path" ? target.path : undefined;
}

/** Keeps the author's way of writing: from the root, with `./`, or bare. */
function writtenLike(link: NoteLink, fromPath: string, toPath: string): string {
  if (link.kind === "html") {
    const bare: NoteLink = { ...link, kind: "link" };
    return writtenLike(bare, fromPath, toPath).replace(/["']/g, percentQuote);
  }
  if (link.destination.startsWith("/"))
    return `/${encodeDestination(toPath, link.inAngleBrackets)}`;
  const relative = encodeDestination(relativePath(fromPath, toPath), link.inAngleBrackets);
  const dotted = link.destination.startsWith("./") && !relative.startsWith(".");
  return dotted ? `./${relative}` : relative;
}

function percentQuote(sign: string): string {
  return sign === '"' ? "%22" : "%27";
}

function findRefusals({ moves, exists }: MoveRequest): readonly MoveRefusal[] {
  const leaving = new Set<string>();
  const arriving = new Set<string>();
  const refusals: MoveRefusal[] = [];
  for (const { oldPath, newPath } of moves) {
    if (leaving.has(oldPath)) refusals.push({ kind: "moved-twice", path: oldPath });
    if (arriving.has(newPath)) refusals.push({ kind: "same-destination", path: newPath });
    leaving.add(oldPath);
    arriving.add(newPath);
  }
  for (const { oldPath, newPath } of moves) {
    if (oldPath === newPath) refusals.push({ kind: "same-place", path: oldPath });
    else if (exists(newPath) && !leaving.has(newPath))
      refusals.push({ kind: "destination-exists", path: newPath });
    if (!exists(oldPath)) refusals.push({ kind: "source-missing", path: oldPath });
    if (!isInsideRoot(newPath)) refusals.push({ kind: "outside-root", path: newPath });
  }
  return refusals;
}

function isInsideRoot(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
