/** A file of a workspace, by its path relative to the root, with `/`. */
export interface EpisodeFile {
  readonly path: string;
  readonly content: string;
}

/**
 * A workspace of an episode. Paths are relative to its root and never lead out of it, even through links; unknown files
 * are left alone.
 */
export interface EpisodeFolder {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The text of a file, or undefined when there is none. Anything but UTF-8 is refused. */
  read(path: string): Promise<string | undefined>;
  /** Names in a folder, sorted, without our own temporaries; empty when it is not there. */
  list(path: string): Promise<readonly string[]>;
  /** All paths are checked before the first byte is written. Files are replaced atomically, in the order given. */
  write(files: readonly EpisodeFile[]): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  /** Renames a file into a folder that is made if need be; refuses to overwrite anything. */
  move(from: string, to: string): Promise<void>;
  /** Clears what a killed process left half written. */
  sweep(): Promise<void>;
}
