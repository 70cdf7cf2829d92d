import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Repos } from "../../../ports/repos.ts";
import type { RunStore } from "../../../ports/run-store.ts";
import type { ProjectStore } from "../../../ports/store.ts";
import type { CopyEnd } from "../statements/copy-store.ts";
import { findDamage } from "../statements/find-damage.ts";
import { promisedRepos } from "../statements/repos/repos.ts";
import { createRunStore } from "../statements/run-store.ts";
import { CommitQueue } from "./commit-queue.ts";
import { Connection } from "./connection.ts";
import { runUnit, runUnitWaiting } from "./run-unit.ts";

/**
 * One open store. Inside `transaction`, use only the repos passed to the work: every other access waits until the
 * transaction ends.
 */
export class SqliteStore implements ProjectStore {
  readonly path: string;
  readonly runs: RunStore;
  readonly #connection: Connection;
  readonly #queue: CommitQueue;
  readonly #idleReaders: Connection[] = [];
  #isClosed = false;

  constructor(connection: Connection, crash?: CrashPoints) {
    this.path = connection.path;
    this.#connection = connection;
    this.#queue = new CommitQueue(connection);
    this.runs = createRunStore(this.#queue, crash);
  }

  /** Durable before it resolves; undone when the work throws. */
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T> {
    return this.#queue.exclusive((connection) => work(sqliteRepos(connection)));
  }

  /** All reads of the work see one state of the store, whatever is written meanwhile. */
  async read<T>(work: (repos: Repos) => Promise<T>): Promise<T> {
    if (this.path === ":memory:") {
      return await this.#queue.reading((connection) => work(sqliteRepos(connection)));
    }
    return await this.#onReader((reader) => work(sqliteRepos(reader)));
  }

  async #onReader<T>(work: (reader: Connection) => Promise<T>): Promise<T> {
    const reader = this.#idleReaders.pop() ?? new Connection({ path: this.path, queryOnly: true });
    try {
      reader.beginReading();
      return await work(reader);
    } finally {
      reader.rollback();
      this.#retire(reader);
    }
  }

  /** One end of a copy between databases. */
  copyEnd(): CopyEnd {
    return {
      snapshot: (work) => this.#onReader((reader) => work(async (unit) => runUnit(reader, unit))),
      write: (unit) => this.#queue.write("durable", unit),
    };
  }

  /** What SQLite's own check finds wrong with the file; empty if nothing. */
  async damage(): Promise<readonly string[]> {
    const rows = this.#connection.all<{ readonly quick_check: string }>("PRAGMA quick_check");
    const found = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
    return found.length > 0 ? found : await this.#queue.read(findDamage);
  }

  /** Writes what is queued and closes the files. A second call does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#queue.flush();
    for (const connection of [...this.#idleReaders, this.#connection]) {
      connection.close();
    }
  }

  #retire(reader: Connection): void {
    if (this.#isClosed) {
      reader.close();
    } else {
      this.#idleReaders.push(reader);
    }
  }
}

function sqliteRepos(connection: Connection): Repos {
  return promisedRepos(async (unit) => await runUnitWaiting(connection, unit));
}
