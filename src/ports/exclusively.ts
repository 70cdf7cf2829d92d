/**
 * Runs the work while no other work of the same name runs in this checkout, in this process or another. It guards files;
 * rows are guarded by `Store.transaction`. The lock of a process that dies is released at once.
 *
 * Not reentrant, and never called inside a transaction: take the lock first, open the transaction inside it.
 */
export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>;
