import type { RecordFile } from "./record-files.ts";

/** What a run's folder holds. `name` of a file may lead into folders below it. */
export interface RunFolders {
  /** Throws a `ConfigurationError` where the folder cannot be made or written to. Changes nothing. */
  requireWritable(folder: string): Promise<void>;
  /** Each file old or new, never half; files of one folder share its sync. Writing the same again is harmless. */
  write(folder: string, files: readonly RecordFile[]): Promise<void>;
  read(folder: string, name: string): Promise<string | undefined>;
  /** Names of its direct entries; empty where there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
  /** Moves something below the folder; nothing happens if that was already done. */
  move(folder: string, from: string, to: string): Promise<void>;
  /**
   * Renames the whole folder to `<folder>.runs/<name>` and returns the new path. Returns undefined and moves nothing if
   * that path exists: another process has archived the run, and the folder now holds that process's run.
   */
  setAside(folder: string, name: string): Promise<string | undefined>;
  /** How many runs are in the archive. */
  countSetAside(folder: string): Promise<number>;
}
