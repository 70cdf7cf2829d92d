import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../src/adapters/persistence/postgres/open-postgres.ts";
import type { PostgresDatabase } from "../../src/adapters/persistence/postgres/postgres-database.ts";
import { runUnit } from "../../src/adapters/persistence/postgres/run-unit.ts";
import {
  all,
  change,
  type Statement,
  type Unit,
  type Units,
  type Value,
} from "../../src/adapters/persistence/statements/unit.ts";
import type { Emptied } from "./empty-schema.ts";

/** A database on which one transaction can be held open while others meet it. */
export class Meeting {
  readonly units: Units;
  readonly hasLocks: boolean;
  /** A connection of its own, as any database tool would have it. */
  readonly watcher: pg.Client;
  readonly #database: PostgresDatabase;

  constructor(parts: { database: PostgresDatabase; watcher: pg.Client; hasLocks: boolean }) {
    this.#database = parts.database;
    this.watcher = parts.watcher;
    this.hasLocks = parts.hasLocks;
    this.units = {
      isConcurrent: parts.hasLocks,
      read: (unit) => this.#database.read(unit),
      write: (durability, unit) => this.#database.write(durability, () => this.#plain(unit())),
    };
  }

  /** Does the first work, then the second before the first is committed; both results. */
  async meet<A, B>(first: () => Unit<A>, second: () => Promise<B>): Promise<[A, B]> {
    let meeting: Promise<B> | undefined;
    const one = await this.#database.writing(async (client) => {
      const result = await runUnit(client, this.#plain(first()));
      meeting = second();
      meeting.catch(() => undefined);
      await Promise.race([meeting.then(nothing, nothing), this.aLockIsWaitedFor()]);
      return result;
    });
    return [one, await (meeting as Promise<B>)];
  }

  /** Returns when a connection of this database waits for a lock. */
  async aLockIsWaitedFor(): Promise<void> {
    for (;;) {
      const { rowCount } = await this.watcher.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rowCount !== 0) return;
    }
  }

  #plain<T>(unit: Unit<T>): Unit<T> {
    return (this.hasLocks ? unit : unlocked(unit)) as Unit<T>;
  }
}

function nothing(): undefined {
  return undefined;
}

/** The same unit without any of its locks. */
function* unlocked(unit: Unit<unknown>): Unit<unknown> {
  const steps = unit[Symbol.iterator]();
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next(yield* bare(step.value));
  }
  return step.value;
}

function* bare(statement: Statement): Unit<unknown> {
  if (statement.kind === "lock") return undefined;
  if (statement.kind === "together") {
    return yield { kind: "together", units: statement.units.map(unlocked) };
  }
  if (statement.kind === "run" && typeof statement.sql === "string") {
    return yield* bareChange(statement.sql, statement.values);
  }
  if (!("locking" in statement)) return yield statement;
  const { locking, ...rest } = statement;
  return yield rest;
}

/** A conditional UPDATE looks first and changes then; an INSERT does not expect its row. */
function* bareChange(sql: string, values: readonly Value[]): Unit<number> {
  const { set, condition } = conditional.exec(sql)?.groups ?? {};
  if (set === undefined || condition === undefined) {
    return yield* change(sql.replace("ON CONFLICT DO NOTHING", ""), ...values);
  }
  const at = set.split("?").length - 1;
  const [changes, [run = null, ...asked]] = [values.slice(0, at), values.slice(at)];
  const found = yield* all(`SELECT 1 FROM runs WHERE run = ? AND ${condition}`, run, ...asked);
  if (found.length === 0) return 0;
  return yield* change(`UPDATE runs SET ${set} WHERE run = ?`, ...changes, run);
}

const conditional = /^UPDATE runs SET (?<set>.+) WHERE run = \? AND (?<condition>\(budget_.+)$/su;

export async function meetingAt(location: Emptied, hasLocks: boolean): Promise<Meeting> {
  const store = await openPostgres({ ...location, connections: 6 });
  const watcher = new pg.Client({ connectionString: location.url });
  // The server of a test may be killed.
  watcher.on("error", () => undefined);
  await watcher.connect();
  onTestFinished(async () => {
    await watcher.end();
    await store.close();
  });
  return new Meeting({ database: store.database, watcher, hasLocks });
}

/** States what happens with the locks, and what would happen without them. */
export function racesAt(emptied: () => Promise<Emptied>) {
  return <T>(
    title: string,
    play: (meeting: Meeting) => Promise<T>,
    outcome: { readonly locked: T; readonly unlocked: T },
  ): void => {
    describe(title, () => {
      it("holds", async () => {
        expect(await play(await meetingAt(await emptied(), true))).toEqual(outcome.locked);
      });
      it("does not hold without its lock", async () => {
        expect(await play(await meetingAt(await emptied(), false))).toEqual(outcome.unlocked);
      });
    });
  };
}
