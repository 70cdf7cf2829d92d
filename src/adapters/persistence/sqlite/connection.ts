import Database from "better-sqlite3";
import { storeError } from "./store-error.ts";

/** What a column can hold; booleans are 0 and 1. */
export type Value = string | number | Uint8Array | null;

/** FULL syncs a commit to the disk; NORMAL survives a crash of the process but not a power cut. */
export type SyncLevel = "FULL" | "NORMAL";

export interface ConnectionSettings {
  readonly path: string;
  /** Refuses every write and creates no file. */
  readonly queryOnly?: boolean;
  /** How long to wait at least for another process that writes. */
  readonly busyMillis?: number;
}

/**
 * One connection to one file. Statements are prepared once and kept by their text, so the text of a query must
 * not be built from data. All errors leave as typed ones.
 */
export class Connection {
  readonly path: string;
  readonly #busyMillis: number;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement<Value[]>>();
  #sync: SyncLevel = "FULL";

  constructor(settings: ConnectionSettings) {
    this.path = settings.path;
    this.#busyMillis = settings.busyMillis ?? 10_000;
    this.#database = this.#guard(() => {
      const database = new Database(settings.path, {
        timeout: 0,
        fileMustExist: settings.queryOnly === true,
      });
      try {
        prepare(database, settings);
      } catch (error) {
        database.close();
        throw error;
      }
      return database;
    });
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return this.#guard(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: Value[]): readonly Row[] {
    return this.#guard(() => this.#statement(sql).all(...values) as Row[]);
  }

  /** Rows one by one, for lists that must not stand in memory as a whole. Nothing else may write meanwhile. */
  each<Row>(sql: string, ...values: Value[]): Iterable<Row> {
    return this.#guard(() => this.#statement(sql).iterate(...values) as Iterable<Row>);
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: Value[]): number {
    return this.#guard(() => this.#statement(sql).run(...values).changes);
  }

  /** For statements without values that are used once, such as a schema. */
  execute(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  /** The level holds for this transaction: the next one says its own. */
  begin(sync: SyncLevel): void {
    if (sync !== this.#sync) {
      this.execute(`PRAGMA synchronous = ${sync}`);
      this.#sync = sync;
    }
    this.run("BEGIN IMMEDIATE");
  }

  /** Reads that follow all see one state of the store. */
  beginReading(): void {
    this.run("BEGIN");
  }

  commit(): void {
    this.run("COMMIT");
  }

  /** SQLite rolls back by itself after some errors (disk full), so there may be nothing left to do. */
  rollback(): void {
    if (this.#database.inTransaction) {
      this.run("ROLLBACK");
    }
  }

  /** Whether SQLite still has the transaction open that was begun. */
  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Database.Statement<Value[]> {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      return known;
    }
    const prepared = this.#database.prepare<Value[]>(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /**
   * Waits for another process itself: SQLite looks again every 100 ms only, and a process that commits in a row on
   * a slow disk never leaves the store free for so long.
   */
  #guard<T>(work: () => T): T {
    for (let waited = 0; ; waited += pauseMillis) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || waited >= this.#busyMillis) {
          throw storeError(error, this.path);
        }
      }
      Atomics.wait(nobodyWakes, 0, 0, pauseMillis);
    }
  }
}

const pauseMillis = 0.2;
const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** As SQLite has it: runs touch few pages again and again, and the driver's 16 MB fill with what is never read. */
const cacheKilobytes = 2_000;

function prepare(database: Database.Database, settings: ConnectionSettings): void {
  if (settings.queryOnly === true) {
    database.pragma("query_only = ON");
  } else if (!database.memory) {
    database.pragma("journal_mode = WAL");
  }
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.pragma(`cache_size = -${cacheKilobytes}`);
}
