import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { NoteFile, NoteSource, NoteText } from "../../ports/note-source.ts";
import { blobIdOf } from "./blob-id.ts";
import { findLastCommits, listChanged, listVersionChanges, readAt } from "./git-history.ts";
import { gitIn, type RunGit } from "./git-process.ts";
import {
  type CommitState,
  hashWithGit,
  type ListedFile,
  type Listing,
  listWithGit,
  loadCommitState,
  readBlobs,
  readListing,
  readUnclean,
  type SkippedFile,
} from "./git-tree.ts";
import { listWithoutGit } from "./plain-tree.ts";

export interface LoaderOptions {
  readonly root: string;
  /** Called with the arguments of every git process; their number does not depend on the number of files. */
  readonly onGit?: (args: readonly string[]) => void;
}

/** `hash-object` reads its paths from the top level, wherever it is started. */
interface GitAccess {
  readonly atRoot: RunGit;
  readonly atTop: RunGit;
  /** The root as seen from the top level, with a slash. */
  readonly prefix: string;
}

/**
 * One per command. Lists files with their blob ids, reads each text at most once and finds old texts, with at most
 * one git process for each of: listing, hashing what is dirty, old texts, commit state.
 */
export class SnapshotLoader implements NoteSource {
  readonly #root: string;
  readonly #git: GitAccess | undefined;
  readonly #texts = new Map<string, NoteText>();
  readonly #folders = new Map<string, boolean>();
  readonly #old = new Map<string, string | undefined>();

  private constructor(root: string, git: GitAccess | undefined) {
    this.#root = root;
    this.#git = git;
  }

  static async open({ root, onGit }: LoaderOptions): Promise<SnapshotLoader> {
    const real = await realpath(root);
    const top = findTopLevel(real);
    if (top === undefined) return new SnapshotLoader(real, undefined);
    const inside = relative(top, real).split(sep).join("/");
    const prefix = inside === "" ? "" : `${inside}/`;
    return new SnapshotLoader(real, {
      atRoot: gitIn(real, defined({ onGit })),
      atTop: gitIn(top, defined({ onGit })),
      prefix,
    });
  }

  get usesGit(): boolean {
    return this.#git !== undefined;
  }

  get folderInRepository(): string {
    return this.#git?.prefix ?? "";
  }

  async findTree(folders: readonly string[]): ReturnType<NoteSource["findTree"]> {
    const present: string[] = [];
    const outside: SkippedFile[] = [];
    for (const folder of folders) {
      const real = realFolder(join(this.#root, folder));
      if (real === undefined) outside.push({ path: folder, reason: "missing" });
      else if (isInside(this.#root, real)) present.push(folder);
      else outside.push({ path: folder, reason: "symlink" });
    }
    const { raw, readOut } = await this.#list(present);
    const unclean = (
      raw === undefined ? readOut().files.map(({ path }) => path) : readUnclean(raw)
    ).filter((path) => path.endsWith(".md"));
    const { ids, skipped } = await this.#identify(unclean);
    return {
      state: createHash("sha256")
        .update(JSON.stringify([[...ids], skipped, outside]))
        .update(raw ?? JSON.stringify(readOut().skipped))
        .digest("hex"),
      load: async () => {
        const listing = readOut();
        return {
          files: identified(listing.files, ids).sort((a, b) => (a.path < b.path ? -1 : 1)),
          skipped: [
            ...outside,
            // A file may be there although git was asked not to check it out.
            ...listing.skipped.filter((one) => isRelevant(one) && !ids.has(one.path)),
            ...skipped,
          ],
        };
      },
    };
  }

  /** git's raw output, parsed when needed; without git the listing itself. */
  async #list(
    folders: readonly string[],
  ): Promise<{ readonly raw?: Buffer; readonly readOut: () => Listing }> {
    if (folders.length === 0) return { readOut: () => ({ files: [], skipped: [] }) };
    if (this.#git === undefined) {
      const listing = withoutMisnamed(await listWithoutGit(this.#root, folders));
      return { readOut: () => listing };
    }
    const raw = await listWithGit(this.#git.atRoot, folders);
    return { raw, readOut: () => withoutMisnamed(readListing(raw)) };
  }

  /**
   * The text in the working tree, byte order mark and line ends included. Synchronous: ten thousand small files are
   * read several times faster one after the other than through the thread pool.
   */
  readText(path: string): NoteText {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const loaded = decode(this.#read(path));
    this.#texts.set(path, loaded);
    return loaded;
  }

  /** Texts of earlier versions that git still has. An absent text does not mean unchanged. */
  async textsAt(blobShas: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = blobShas.filter((sha) => !this.#old.has(sha));
    if (this.#git !== undefined && unknown.length > 0) {
      const blobs = await readBlobs(this.#git.atRoot, unknown);
      for (const sha of unknown) {
        const loaded = decode(blobs.get(sha));
        this.#old.set(sha, loaded.kind === "text" ? loaded.text : undefined);
      }
    }
    return new Map(
      blobShas.flatMap((sha) => {
        const text = this.#old.get(sha);
        return text === undefined ? [] : [[sha, text] as const];
      }),
    );
  }

  /** Which files differ from HEAD; needed when a run is created, not for status. */
  async loadCommitState(folders: readonly string[]): Promise<CommitState> {
    if (this.#git === undefined) return { uncommitted: new Set() };
    return loadCommitState(this.#git.atRoot, folders, this.#git.prefix);
  }

  /** Everything that differs from a revision, untracked files included; refused without git. */
  async changedSince(revision: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#git === undefined) {
      const flag = "--changed-since";
      throw new ConfigurationError(`${flag} needs a git repository.`, {
        code: "git-missing",
        facts: { flag },
      });
    }
    return listChanged(this.#git.atRoot, revision, folders);
  }

  async textAt(revision: string, path: string): Promise<string | undefined> {
    if (this.#git === undefined) return undefined;
    const found = decode(await readAt(this.#git.atRoot, revision, path));
    return found.kind === "text" ? found.text : undefined;
  }

  async versionChanges(since: string, folders: readonly string[]) {
    if (this.#git === undefined) return [];
    return listVersionChanges(this.#git.atRoot, this.#git.prefix, { since, folders });
  }

  async lastCommits(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (this.#git === undefined) return new Map();
    return findLastCommits(this.#git.atRoot, this.#git.prefix, paths);
  }

  async #identify(
    paths: readonly string[],
  ): Promise<{ ids: ReadonlyMap<string, string>; skipped: readonly SkippedFile[] }> {
    const skipped: SkippedFile[] = [];
    const dirty: string[] = [];
    for (const path of paths) {
      const reason = whyNotAFile(this.#root, path);
      if (reason === undefined) dirty.push(path);
      else if (reason !== "gone") skipped.push({ path, reason });
    }
    return { ids: await this.#hash(dirty), skipped };
  }

  /** Never follows a link, neither as the last part of the path nor on the way to it. */
  #read(path: string): Buffer | undefined {
    const full = join(this.#root, path);
    const folder = dirname(full);
    let inside = this.#folders.get(folder);
    if (inside === undefined) {
      const real = unlessGone(() => realpathSync(folder));
      inside = real !== undefined && isInside(this.#root, real);
      this.#folders.set(folder, inside);
    }
    return inside ? unlessGone(() => readWithoutFollowing(full)) : undefined;
  }

  async #hash(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (this.#git !== undefined) return hashWithGit(this.#git.atTop, this.#git.prefix, paths);
    const ids = new Map<string, string>();
    for (const path of paths) {
      const bytes = this.#read(path);
      if (bytes === undefined) continue;
      ids.set(path, blobIdOf(bytes));
      this.#texts.set(path, decode(bytes));
    }
    return ids;
  }
}

function identified(listed: readonly ListedFile[], ids: ReadonlyMap<string, string>): NoteFile[] {
  const files: NoteFile[] = [];
  for (const { path, blobSha = ids.get(path) } of listed)
    if (blobSha !== undefined && path.endsWith(".md")) files.push({ path, blobSha });
  return files;
}

/** The nearest folder upward that contains `.git`; asking git would depend on the language of its messages. */
function findTopLevel(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Links, gates and exports name notes by their `.md`. */
function withoutMisnamed({ files, skipped }: Listing): Listing {
  const misnamed = files.filter(({ path }) => /\.md$/i.test(path) && !path.endsWith(".md"));
  if (misnamed.length === 0) return { files, skipped };
  const named = misnamed.map(({ path }) => ({ path, reason: "not-lower-case" }) as const);
  return {
    files: files.filter((file) => !misnamed.includes(file)),
    skipped: [...skipped, ...named],
  };
}

function isRelevant({ path, reason }: SkippedFile): boolean {
  return /\.md$/i.test(path) || reason === "submodule" || reason === "symlink";
}

function whyNotAFile(root: string, path: string): "symlink" | "not-a-file" | "gone" | undefined {
  const found = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return "gone";
  if (found.isSymbolicLink()) return "symlink";
  return found.isFile() ? undefined : "not-a-file";
}

/** Errors for a path that does not exist, leads through a link or is a folder. */
const missingCodes = new Set<unknown>(["ENOENT", "ELOOP", "ENOTDIR", "EISDIR"]);

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function unlessGone<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && "code" in error && missingCodes.has(error.code)) return undefined;
    throw error;
  }
}

function readWithoutFollowing(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer | undefined): NoteText {
  if (bytes === undefined) return { kind: "gone" };
  try {
    return { kind: "text", text: decoder.decode(bytes) };
  } catch {
    return { kind: "not-utf-8" };
  }
}
