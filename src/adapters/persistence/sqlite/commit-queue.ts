import type { Connection, SyncLevel } from "./connection.ts";

/** `durable` survives a power cut once it resolves; `quick` survives the end of the process. */
export type Durability = "durable" | "quick";

interface Waiting {
  readonly durability: Durability;
  readonly work: (connection: Connection) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * The one gate for all writers of this process. Whatever waits when the event loop comes round is written in one
 * transaction with one sync, so twenty loops cost little more than one. All of it goes through one connection: two
 * that write in turn would make each other read every page again. An open asynchronous transaction therefore holds
 * everybody else back, who would otherwise become part of it.
 */
export class CommitQueue {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isHeld = false;
  #lastExclusive: Promise<void> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Resolves after the commit that holds the work. What `work` throws fails only this work; its neighbours are then
   * done again, so a work has no effect but what it writes.
   */
  write<T>(durability: Durability, work: (connection: Connection) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        durability,
        work,
        resolve: (value) => resolve(value as T),
        reject,
      });
      if (!this.#isScheduled) {
        this.#isScheduled = true;
        setImmediate(() => this.flush());
      }
    });
  }

  /** What is committed: an open transaction is waited for. */
  async read<T>(work: (connection: Connection) => T): Promise<T> {
    while (this.#isHeld) {
      await this.#lastExclusive;
    }
    return work(this.#connection);
  }

  /** One asynchronous transaction; writes and transactions begun meanwhile follow it. */
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

  /** Writes what waits, now. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#isHeld || this.#waiting.length === 0) {
      return;
    }
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

/** Undefined, and nothing is written, when one of several works fails: it must not take its neighbours along. */
function writeTogether(
  connection: Connection,
  sync: SyncLevel,
  batch: readonly Waiting[],
): readonly Outcome[] | undefined {
  connection.begin(sync);
  const outcomes: Outcome[] = [];
  for (const { work } of batch) {
    try {
      outcomes.push({ value: work(connection) });
    } catch (error) {
      if (batch.length === 1 || !connection.isInTransaction) {
        throw error;
      }
      connection.rollback();
      return undefined;
    }
  }
  connection.commit();
  return outcomes;
}

/** Each work by its own savepoint. That costs two statements for each, so it is done only where one has failed. */
function writeAside(
  connection: Connection,
  sync: SyncLevel,
  batch: readonly Waiting[],
): readonly Outcome[] {
  connection.begin(sync);
  const outcomes = batch.map(({ work }) => tryAside(connection, work));
  connection.commit();
  return outcomes;
}

function tryAside(connection: Connection, work: Waiting["work"]): Outcome {
  connection.run("SAVEPOINT one_of_many");
  try {
    const value = work(connection);
    connection.run("RELEASE one_of_many");
    return { value };
  } catch (error) {
    if (!connection.isInTransaction) {
      throw error;
    }
    connection.run("ROLLBACK TO one_of_many");
    connection.run("RELEASE one_of_many");
    return { error };
  }
}
