import type { RunId } from "../domain/values/ids.ts";

export interface RecordFile {
  /** Relative to the run's folder; plain names only. */
  readonly name: string;
  readonly content: string;
}

/** The readable record of a run: files made from its events, which can be made again at any time. */
export interface RecordFiles {
  /** Where the record of a run is, relative to the project's root. */
  location(run: RunId): string;
  /** Each file old or new, never half; clears what a killed process left; writing the same again is harmless. */
  write(run: RunId, files: readonly RecordFile[]): Promise<void>;
  /** What is there now, by name; empty when there is nothing. */
  read(run: RunId): Promise<ReadonlyMap<string, string>>;
}
