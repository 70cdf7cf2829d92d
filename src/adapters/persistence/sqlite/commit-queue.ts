import type { Durability, Unit, Units } from "../statements/unit.ts";
import type { Connection, SyncLevel } from "./connection.ts";
import { runUnit } from "./run-unit.ts";

interface Waiting {
  readonly durability: Durability;
  readonly unit: () => Unit<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * All writes of this process go through here. Everything queued when the event loop comes round is written in one
 * transaction with one sync, so twenty loops cost little more than one. There is only one connection: two that write
 * in turn would make each other read every page again. An open asynchronous transaction therefore blocks all other
 * writes, which would otherwise become part of it.
 */
export class CommitQueue implements Units {
  readonly isConcurrent = false;
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isHeld = false;
  #lastExclusive: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Resolves after the commit that includes the work. If the unit throws, only this call fails; the rest of the
   * batch is run again.
   */
  write<T>(durability: Durability, unit: () => Unit<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        durability,
        unit,
        resolve: (value) => resolve(value as T),
        reject,
      });
      if (!this.#isScheduled) {
        this.#isScheduled = true;
        setImmediate(() => this.flush());
      }
    });
  }

  /** Reads committed data; waits for an open transaction. */
  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.reading(async (connection) => runUnit(connection, unit()));
  }

  /** The same for a work of several units. */
  async reading<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    while (this.#isHeld) {
      await this.#lastExclusive;
    }
    return await work(this.#connection);
  }

  /** One asynchronous transaction; writes and transactions started meanwhile run after it. */
  async exclusive<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const before = this.#lastExclusive;
    let release: () => void = () => undefined;
    this.#lastExclusive = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.flush();
    this.#isHeld = true;
    try {
      return await inTransaction(this.#connection, work);
    } finally {
      this.#isHeld = false;
      release();
      this.flush();
    }
  }

  /** Writes everything queued, now. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isHeld || this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    writeBatch(this.#connection, batch);
  }
}

async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  connection.begin("FULL");
  try {
    const result = await work(connection);
    connection.commit();
    return result;
  } catch (error) {
    connection.rollback();
    throw error;
  }
}

function writeBatch(connection: Connection, batch: readonly Waiting[]): void {
  let outcomes: readonly Outcome[];
  try {
    const isDurable = batch.some(({ durability }) => durability === "durable");
    const sync = isDurable ? "FULL" : "NORMAL";
    outcomes = writeTogether(connection, sync, batch) ?? writeAside(connection, sync, batch);
  } catch (error) {
    connection.rollback();
    for (const { reject } of batch) {
      reject(error);
    }
    return;
  }
  batch.forEach(({ resolve, reject }, at) => {
    const outcome = outcomes[at];
    if (outcome !== undefined && "value" in outcome) {
      resolve(outcome.value);
    } else {
      reject(outcome?.error);
    }
  });
}

/** Undefined, with nothing written, if one of several fails: one failure must not fail the whole batch. */
function writeTogether(
  connection: Connection,
  sync: SyncLevel,
  batch: readonly Waiting[],
): readonly Outcome[] | undefined {
  connection.begin(sync);
  const outcomes: Outcome[] = [];
  for (const { unit } of batch) {
    try {
      outcomes.push({ value: runUnit(connection, unit()) });
    } catch (error) {
      if (batch.length === 1 || !connection.isInTransaction) throw error;
      connection.rollback();
      return undefined;
    }
  }
  connection.commit();
  return outcomes;
}

/** Each in its own savepoint. That costs two statements each, so it is done only after a failure. */
function writeAside(
  connection: Connection,
  sync: SyncLevel,
  batch: readonly Waiting[],
): readonly Outcome[] {
  connection.begin(sync);
  const outcomes = batch.map(({ unit }) => tryAside(connection, unit));
  connection.commit();
  return outcomes;
}

function tryAside(connection: Connection, unit: Waiting["unit"]): Outcome {
  connection.run("SAVEPOINT one_of_many");
  try {
    const value = runUnit(connection, unit());
    connection.run("RELEASE one_of_many");
    return { value };
  } catch (error) {
    if (!connection.isInTransaction) throw error;
    connection.run("ROLLBACK TO one_of_many");
    connection.run("RELEASE one_of_many");
    return { error };
  }
}
