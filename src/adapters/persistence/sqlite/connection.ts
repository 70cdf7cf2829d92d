import Database from "better-sqlite3";
import type { Value } from "../statements/unit.ts";
import { isBusy, storeError } from "./store-error.ts";

/** FULL syncs a commit to the disk; NORMAL survives a crash of the process but not a power cut. */
export type SyncLevel = "FULL" | "NORMAL";

export interface ConnectionSettings {
  readonly path: string;
  /** Refuses every write and creates no file. */
  readonly queryOnly?: boolean;
  /** Minimum time to wait for another process that is writing. */
  readonly busyMillis?: number;
}

/**
 * One connection to one file. Statements are prepared once and cached by their text, so the text of a query must
 * not be built from data. All errors are thrown as typed errors.
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

  /** Rows one by one, for lists too large for memory. Nothing else may write meanwhile. */
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

  /** The level applies to this transaction only. */
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

  /** Does nothing if SQLite has already rolled back by itself, as after some errors (disk full). */
  rollback(): void {
    if (this.#database.inTransaction) {
      this.run("ROLLBACK");
    }
  }

  /** Whether the transaction is still open in SQLite. */
  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Database.Statement<Value[]> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare<Value[]>(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /**
   * Retries while another process writes. SQLite itself retries only every 100 ms, and a process that commits
   * continuously on a slow disk never leaves the store free for that long.
   */
  #guard<T>(work: () => T): T {
    for (let waited = 0; ; waited += pauseMillis) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || waited >= this.#busyMillis) throw storeError(error, this.path);
      }
      Atomics.wait(pauseCell, 0, 0, pauseMillis);
    }
  }
}

const pauseMillis = 0.2;
const pauseCell = new Int32Array(new SharedArrayBuffer(4));

/** SQLite's own default: runs touch the same few pages, and the driver's 16 MB would hold pages never read again. */
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
