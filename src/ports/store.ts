import type { Repos } from "./repos.ts";
import type { RunStore } from "./run-store.ts";

/**
 * Access to rows only. The work of a `transaction` may write and is atomic. It may be run again from its start, so it must
 * not touch files, models, or a clock that must be read once. Files are guarded by `Exclusively`.
 */
export interface Store<Repos> {
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
  read<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
}

/** The whole record of a project, open. */
export interface ProjectStore extends Store<Repos> {
  readonly runs: RunStore;
  /** What the database's own check finds wrong; empty if nothing. */
  damage(): Promise<readonly string[]>;
  /** Writes what is queued and lets go of the database. A second call does nothing. */
  close(): Promise<void> | void;
}
