/**
 * Runs the work while nobody else in this checkout, in this process or another, runs work of the same name. It guards
 * files; rows are guarded by `Store.transaction`. A holder that dies lets go at once.
 *
 * Not reentrant, and never called inside a transaction: take the lock first, open the transaction inside it.
 */
export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>;
