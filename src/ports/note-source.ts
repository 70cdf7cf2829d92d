import type { VersionChange } from "../domain/gates/staleness-over-time.ts";

/** A markdown file with its identity; its text is read on demand. */
export interface NoteFile {
  readonly path: string;
  readonly blobSha: string;
}

export interface PassedOver {
  readonly path: string;
  readonly reason: string;
}

export interface FileTree {
  readonly files: readonly NoteFile[];
  readonly skipped: readonly PassedOver[];
}

export type NoteText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not-utf-8" }
  | { readonly kind: "gone" };

/** The present notes and gates of a project. One per command, so all answers describe the same moment. */
export interface NoteSource {
  readonly usesGit: boolean;
  /** The project's folder as seen from the top of the repository, with a slash; empty for the top itself. */
  readonly folderInRepository: string;
  /**
   * Markdown files below the folders, sorted by path, and the state they are in: equal states load equal trees, and
   * nothing is read out before `load`. The number of processes does not depend on that of the files.
   */
  findTree(
    folders: readonly string[],
  ): Promise<{ readonly state: string; load(): Promise<FileTree> }>;
  readText(path: string): NoteText;
  /** Texts of earlier versions that are still known; an absent one is never the same as unchanged. */
  textsAt(blobShas: readonly string[]): Promise<ReadonlyMap<string, string>>;
  loadCommitState(
    folders: readonly string[],
  ): Promise<{ readonly head?: string; readonly uncommitted: ReadonlySet<string> }>;
  /** Paths that differ between a revision and the working tree, untracked ones included. */
  changedSince(revision: string, folders: readonly string[]): Promise<ReadonlySet<string>>;
  /** A file's text in a revision; `undefined` where it has none or cannot be read. */
  textAt(revision: string, path: string): Promise<string | undefined>;
  /** Committed changes since a moment, each with the version before it; none without git. */
  versionChanges(since: string, folders: readonly string[]): Promise<readonly VersionChange[]>;
  /** The last commit of each path, in one process. */
  lastCommits(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
