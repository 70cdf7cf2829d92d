import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { Durability, Unit, Units } from "../statements/unit.ts";
import { isConnectionLost, isPassing, isRefusal, postgresError } from "./postgres-error.ts";
import { runUnit } from "./run-unit.ts";

export interface Reach {
  /** Server, port, database and schema, for people; without a password. */
  readonly place: string;
  /** How long a unit is repeated while the database is away. */
  readonly patienceMillis: number;
  /** Where it is given, a unit that the database refuses is repeated as well, and this is called each time. */
  readonly refused?: (why: Error) => void;
}

type Work<T> = (client: PoolClient) => Promise<T>;

/**
 * Runs units of work as transactions under READ COMMITTED; what must not change meanwhile is locked by the statements. A
 * unit that fails for a passing reason is repeated from its start. If the connection is lost during COMMIT, the server
 * is asked what became of the transaction, so that nothing is done twice.
 */
export class PostgresDatabase implements Units {
  readonly isConcurrent = true;
  readonly #pool: Pool;
  readonly #reach: Reach;

  constructor(pool: Pool, reach: Reach) {
    this.#pool = pool;
    this.#reach = reach;
  }

  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.reading((client) => runUnit(client, unit()));
  }

  write<T>(durability: Durability, unit: () => Unit<T>): Promise<T> {
    return this.writing((client) => runUnit(client, unit()), durability);
  }

  /** All reads of the work see one state of the database. */
  reading<T>(work: Work<T>): Promise<T> {
    const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    return this.#patiently(() => this.#once({ begin, work }));
  }

  writing<T>(work: Work<T>, durability: Durability = "durable"): Promise<T> {
    return this.#patiently(async () => {
      try {
        return await this.#once({ begin: beginWriting[durability], work });
      } catch (error) {
        if (!(error instanceof CommitLost)) throw error;
        if (await this.#isCommitted(error.transaction)) return error.result as T;
        throw error.cause;
      }
    });
  }

  /** One attempt, as a function that is called again. */
  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.#reach.patienceMillis;
    for (let wait = 10; ; wait = Math.min(wait * 2, 1_000)) {
      try {
        return await attempt();
      } catch (error) {
        const { place, refused } = this.#reach;
        const isRefused = refused !== undefined && isRefusal(error);
        const isAway = isRefused || isConnectionLost(error);
        if (!isPassing(error) && !(isAway && performance.now() + wait < until)) {
          throw postgresError(error, place);
        }
        if (isRefused) refused(postgresError(error, place) as Error);
        // Two units that met in a deadlock must not meet again at once.
        await pause(wait * (0.5 + Math.random() / 2));
      }
    }
  }

  async #once<T>(how: { readonly begin: string; readonly work: Work<T> }): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await transaction(client, how);
    } catch (error) {
      if (isConnectionLost(error) || error instanceof CommitLost) broken = error as Error;
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  /** Asks on another connection what became of a transaction, for as long as patience lasts. */
  async #isCommitted(xid: string): Promise<boolean> {
    return await this.#patiently(async () => {
      for (;;) {
        const sql = "SELECT pg_xact_status($1::xid8) AS status";
        const { rows } = await this.#pool.query<{ status: string | null }>(sql, [xid]);
        if (rows[0]?.status !== "in progress") return rows[0]?.status === "committed";
        await pause(20);
      }
    });
  }
}

/** Nobody knows yet whether the transaction was committed. */
class CommitLost extends Error {
  readonly transaction: string;
  readonly result: unknown;

  constructor(lost: Pick<CommitLost, "transaction" | "result">, options: ErrorOptions) {
    super("the connection was lost during COMMIT", options);
    this.transaction = lost.transaction;
    this.result = lost.result;
  }
}

async function transaction<T>(
  client: PoolClient,
  { begin, work }: { readonly begin: string; readonly work: Work<T> },
): Promise<T> {
  // Not waited for: it shares the round trip of the first statement.
  const begun = client.query<{ xid?: string }>(begin);
  begun.catch(() => undefined);
  let result: T;
  try {
    result = await work(client);
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
  const number = lastOf(await begun).rows[0]?.xid;
  try {
    await client.query("COMMIT");
    return result;
  } catch (error) {
    if (number === undefined || !isConnectionLost(error)) throw error;
    throw new CommitLost({ transaction: number, result }, { cause: error });
  }
}

const withNumber = "; SELECT pg_current_xact_id()::text AS xid";

/** A lost heartbeat is renewed by the next one; everything else is on the disk before it counts. */
const beginWriting: { readonly [durability in Durability]: string } = {
  durable: `BEGIN ISOLATION LEVEL READ COMMITTED${withNumber}`,
  quick: `BEGIN ISOLATION LEVEL READ COMMITTED${withNumber}`,
  heartbeat: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = off${withNumber}`,
};

/** Several statements in one text have several results. */
function lastOf<T>(result: T | readonly T[]): T {
  return (Array.isArray(result) ? result.at(-1) : result) as T;
}
