/** The files of a project that commands on notes read and change. Paths are relative to the root, with `/`. */
export interface NoteFiles {
  /** `undefined` when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Each file old or new, never half. */
  write(files: readonly { readonly path: string; readonly content: string }[]): Promise<void>;
  /** With git where it knows the file; an empty folder left behind is removed. */
  move(oldPath: string, newPath: string): Promise<void>;
  exists(path: string): boolean;
  /** Files below a folder, sorted; empty when there is none. */
  list(folder: string): Promise<readonly string[]>;
  remove(path: string): Promise<void>;
}
