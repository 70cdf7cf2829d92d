/**
 * Transactions as the flows' home side uses them. `transaction` may write and is serialised with every other
 * writer; no model call, process or request may happen inside it.
 */
export interface Store<Repos> {
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
  read<T>(work: (repos: Repos) => Promise<T>): Promise<T>;
}
