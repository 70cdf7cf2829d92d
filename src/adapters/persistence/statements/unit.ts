import type { Instant } from "../../../domain/values/instant.ts";

/** What a column can hold; booleans are 0 and 1. */
export type Value = string | number | Uint8Array | null;

/** One text for both databases, or one for each where their dialects differ. Never built from data. */
export type Sql = string | { readonly sqlite: string; readonly postgres: string };

interface Query {
  readonly sql: Sql;
  readonly values: readonly Value[];
}

/** What a unit of work asks of its database; the answer comes back as the value of `yield`. */
export type Statement =
  | (Query & { readonly kind: "get" | "all"; readonly locking?: string })
  | (Query & { readonly kind: "run" })
  | (Query & { readonly kind: "each"; readonly visit: (row: never) => void | Promise<void> })
  | { readonly kind: "together"; readonly units: readonly Unit<unknown>[] }
  | { readonly kind: "lock"; readonly name: string; readonly mode: "exclusive" | "shared" }
  | { readonly kind: "time"; readonly given: Instant };

/**
 * A unit of work: statements that belong to one transaction, without the knowledge of which database answers them. It may
 * be run again from its start, so it has no effects except its statements. Most are generators.
 */
export type Unit<T> = Iterable<Statement, T, unknown>;

/** A unit of one statement. By hand, because a generator for each statement costs SQLite a tenth of a recorded call. */
export class Single<T> implements Unit<T>, Iterator<Statement, T, unknown> {
  readonly statement: Statement;
  #isAsked = false;

  constructor(statement: Statement) {
    this.statement = statement;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(answer: unknown): IteratorResult<Statement, T> {
    if (this.#isAsked) return { done: true, value: answer as T };
    this.#isAsked = true;
    return { done: false, value: this.statement };
  }
}

/** The first row, if there is one. */
export function get<Row>(sql: Sql, ...values: readonly Value[]): Unit<Row | undefined> {
  return new Single({ kind: "get", sql, values });
}

/**
 * The first row, locked until this transaction ends. On PostgreSQL the rows of the named table
 * alias are locked; in SQLite only one transaction writes at a time.
 */
export function getLocked<Row>(
  alias: string,
  sql: Sql,
  ...values: readonly Value[]
): Unit<Row | undefined> {
  return new Single({ kind: "get", sql, values, locking: `FOR NO KEY UPDATE OF ${alias}` });
}

export function all<Row>(sql: Sql, ...values: readonly Value[]): Unit<readonly Row[]> {
  return new Single({ kind: "all", sql, values });
}

export function allLocked<Row>(
  alias: string,
  sql: Sql,
  ...values: readonly Value[]
): Unit<readonly Row[]> {
  return new Single({ kind: "all", sql, values, locking: `FOR NO KEY UPDATE OF ${alias}` });
}

/** Returns the number of rows changed. */
export function change(sql: Sql, ...values: readonly Value[]): Unit<number> {
  return new Single({ kind: "run", sql, values });
}

/** Rows one by one, for lists too large for memory. The next one waits for the promise that a visit may return. */
export function each<Row>(
  visit: (row: Row) => void | Promise<void>,
  sql: Sql,
  ...values: readonly Value[]
): Unit<void> {
  return new Single({ kind: "each", sql, values, visit });
}

/** Units that do not need each other's results. They are run in order; PostgreSQL gets them in one round trip. */
export function together<Units extends readonly Unit<unknown>[]>(
  ...units: Units
): Unit<{ readonly [at in keyof Units]: Units[at] extends Unit<infer T> ? T : never }> {
  return new Single({ kind: "together", units });
}

/** Holds until the transaction ends. In SQLite a writing transaction excludes all others anyway. */
export function lock(name: string, mode: "exclusive" | "shared" = "exclusive"): Unit<void> {
  return new Single({ kind: "lock", name, mode });
}

/** The time that decides whether a lease has expired: the database's if several machines share it, else the given. */
export function storeTime(given: Instant): Unit<Instant> {
  return new Single({ kind: "time", given });
}

/** `durable` survives a power cut once it resolves; `quick` survives the end of the process. */
export type Durability = "durable" | "quick" | "heartbeat";

/** Runs units of work on one database, each in a transaction. */
export interface Units {
  /** Whether several transactions write at the same time. */
  readonly isConcurrent: boolean;
  read<T>(unit: () => Unit<T>): Promise<T>;
  write<T>(durability: Durability, unit: () => Unit<T>): Promise<T>;
}
