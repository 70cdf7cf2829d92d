/**
 * Access to rows only. The work of a `transaction` may write and is atomic. It may be run again from its start, so it must
 * not touch files, models, or a clock that must be read once. Files are guarded by `Exclusively`.
 */
export interface Store<Repos> {
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
  read<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
}
