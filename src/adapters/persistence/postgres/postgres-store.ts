import type { Pool } from "pg";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Repos } from "../../../ports/repos.ts";
import type { RunStore } from "../../../ports/run-store.ts";
import type { ProjectStore } from "../../../ports/store.ts";
import type { CopyEnd } from "../statements/copy-store.ts";
import { findDamage } from "../statements/find-damage.ts";
import { promisedRepos } from "../statements/repos/repos.ts";
import { createRunStore } from "../statements/run-store.ts";
import { lock } from "../statements/unit.ts";
import { PostgresDatabase, type Reach } from "./postgres-database.ts";
import { runUnit } from "./run-unit.ts";

/** The record of one project in a schema of a PostgreSQL database. */
export class PostgresStore implements ProjectStore {
  readonly runs: RunStore;
  readonly database: PostgresDatabase;
  readonly #pool: Pool;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, reach: Reach, crash?: CrashPoints) {
    this.#pool = pool;
    this.database = new PostgresDatabase(pool, reach);
    this.runs = createRunStore(this.database, crash);
  }

  /**
   * One at a time in a project, as in SQLite: such work looks first and writes what follows from it, and numbers its
   * rows one after the other. Runs and their journal do not wait for it. May be repeated from its start.
   */
  transaction<T>(work: (repos: Repos) => Promise<T>): Promise<T> {
    // In this process they wait here: each that waits for the lock in the database holds a connection.
    const mine = this.#last.then(() =>
      this.database.writing(async (client) => {
        await runUnit(client, lock("transaction"));
        return await work(promisedRepos((unit) => runUnit(client, unit)));
      }),
    );
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  read<T>(work: (repos: Repos) => Promise<T>): Promise<T> {
    return this.database.reading((client) => work(promisedRepos((unit) => runUnit(client, unit))));
  }

  /** Rows that name what is not there; PostgreSQL finds damaged pages itself when it reads them. */
  async damage(): Promise<readonly string[]> {
    return await this.database.read(() => findDamage());
  }

  /** One end of a copy between databases. */
  copyEnd(): CopyEnd {
    return {
      snapshot: (work) => this.database.reading((client) => work((unit) => runUnit(client, unit))),
      write: (unit) => this.database.write("durable", unit),
    };
  }

  async close(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end();
  }
}
