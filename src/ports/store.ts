/**
 * Rows, and nothing but rows. The work of a `transaction` may write and is all or nothing; it may be run again from
 * its start, so it touches no files, no models and no clock that must not be asked twice. Files are guarded by
 * `Exclusively`.
 */
export interface Store<Repos> {
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
  read<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
}
