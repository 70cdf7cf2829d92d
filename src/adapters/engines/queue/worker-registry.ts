import type { Client, Pool } from "pg";
import { releaseRuns, requeueLost } from "./queue-schema.ts";

/** A worker as the others see it. */
export interface WorkerEntry {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** What it can execute; see `RunRecord.task`. */
  readonly tasks: readonly string[];
  /** Undefined: every project of the database. */
  readonly projects?: readonly string[];
  readonly concurrency: number;
}

export interface ListedWorker extends WorkerEntry {
  /** What it is executing now. */
  readonly runs: readonly HeldRun[];
  /** False from the moment its process dies, or after half a minute of silence. */
  readonly isAlive: boolean;
  readonly isDraining: boolean;
  readonly startedAt: Date;
  /** Seconds since the worker last reported. */
  readonly silentSeconds: number;
}

export interface HeldRun {
  /** The schema of its project. */
  readonly project: string;
  readonly run: string;
  readonly kind: string;
}

/** Advisory locks of workers; the second number is `workers.lock`. */
const lockSpace = 7_326_101;
/** A frozen or unplugged worker keeps its session for a long time, but reports no more. */
const silentSeconds = 30;
/** After the database comes back, every worker needs a moment to take its lock again. */
const graceMillis = 8_000;

export interface RegistryParts {
  readonly pool: Pool;
  /** Opens the connection that lives as long as the worker; its end is the worker's end. */
  readonly connect: () => Promise<Client>;
  readonly self: WorkerEntry;
  readonly projects: () => Promise<readonly string[]>;
  readonly now: () => number;
  readonly report: (sentence: string) => void;
}

/**
 * Says that this worker is alive and finds out which others are not. A worker holds a session lock on a connection of
 * its own: when the process dies, PostgreSQL frees the lock at once. One that is frozen or unplugged is found by its
 * silence. Whoever finds a dead worker releases its jobs and its leases.
 */
export class WorkerRegistry {
  readonly #parts: RegistryParts;
  readonly #pools = new Set<string>();
  #session: Client | undefined;
  #holding: Promise<void> | undefined;
  #lock = 0;
  #since = 0;
  #isDraining = false;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** True while this worker holds its lock; without it the others take it for dead. */
  get isAlive(): boolean {
    return this.#session !== undefined;
  }

  /** Jobs are locked in the name of a pool, of which there is a new one after each outage. */
  async addPool(pool: string): Promise<void> {
    this.#pools.add(pool);
    await this.beat();
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.beat();
  }

  /** Takes the lock if it is not held, and reports. Throws while the database is away. */
  async beat(): Promise<void> {
    const { pool, self } = this.#parts;
    const lock = await this.#entered();
    if (this.#session === undefined || this.#lock !== lock) {
      // Beats may overlap: a second session would wait for the lock of the first one for ever.
      this.#holding ??= this.#hold(lock).finally(() => {
        this.#holding = undefined;
      });
      await this.#holding;
    }
    await pool.query(
      `UPDATE signoff.workers SET beat_at = now(), is_draining = $2, pools = $3
       WHERE id = $1`,
      [self.id, this.#isDraining, [...this.#pools]],
    );
  }

  async leave(): Promise<void> {
    const { pool, self } = this.#parts;
    await pool.query("DELETE FROM signoff.permits WHERE worker = $1", [self.id]);
    await pool.query("DELETE FROM signoff.workers WHERE id = $1", [self.id]);
    const session = this.#session;
    this.#session = undefined;
    await session?.end();
  }

  /** Releases what dead workers held. Returns how many were found. */
  async buryDead(): Promise<number> {
    const { pool, self, now } = this.#parts;
    if (this.#session === undefined || now() - this.#since < graceMillis) return 0;
    const { rows } = await pool.query<DeadRow>(
      `SELECT id, lock, name, pools, beat_at < now() - make_interval(secs => $2) AS is_silent
       FROM signoff.workers WHERE id <> $1`,
      [self.id, silentSeconds],
    );
    let found = 0;
    for (const row of rows) {
      if (row.is_silent || (await this.#isUnlocked(row.lock))) {
        await this.#bury(row);
        found += 1;
      }
    }
    return found;
  }

  /** Queues runs whose job was lost. One worker at a time does it for all. */
  async requeue(): Promise<void> {
    const { pool, projects } = this.#parts;
    const client = await pool.connect();
    try {
      // A worker that is frozen meanwhile must not keep the others from it.
      await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'");
      const { rows } = await client.query<{ is_mine: boolean }>(
        "SELECT pg_try_advisory_xact_lock($1, 0) AS is_mine",
        [lockSpace],
      );
      if (rows[0]?.is_mine === true) {
        for (const project of await projects()) {
          await client.query(requeueLost(quotedSchema(project)), [project]);
        }
      }
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  /** The row of this worker, written again if another worker has removed it. */
  async #entered(): Promise<number> {
    const { pool, self } = this.#parts;
    const { rows } = await pool.query<{ lock: number }>(
      `INSERT INTO signoff.workers (id, name, host, pid, version, tasks, projects, concurrency)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING lock`,
      [
        ...[self.id, self.name, self.host, self.pid, self.version, self.tasks],
        ...[self.projects ?? null, self.concurrency],
      ],
    );
    return rows[0]?.lock ?? 0;
  }

  async #hold(lock: number): Promise<void> {
    const { connect, now, report } = this.#parts;
    const session = await connect();
    session.on("error", () => undefined);
    session.on("end", () => {
      if (this.#session !== session) return;
      this.#session = undefined;
      report("The connection to the database was lost; it is being opened again.");
    });
    await session.query("SELECT pg_advisory_lock($1, $2)", [lockSpace, lock]);
    const before = this.#session;
    this.#session = session;
    this.#lock = lock;
    await before?.end();
    this.#since = now();
  }

  async #isUnlocked(lock: number): Promise<boolean> {
    const { rows } = await this.#parts.pool.query<{ is_free: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1, $2) AS is_free",
      [lockSpace, lock],
    );
    return rows[0]?.is_free === true;
  }

  async #bury({ id, name, pools }: DeadRow): Promise<void> {
    const { pool, projects, report } = this.#parts;
    await pool.query("SELECT graphile_worker.force_unlock_workers($1)", [pools]);
    for (const project of await projects()) {
      await pool.query(releaseRuns(quotedSchema(project)), [id, project]);
    }
    await pool.query("DELETE FROM signoff.permits WHERE worker = $1", [id]);
    const { rowCount } = await pool.query("DELETE FROM signoff.workers WHERE id = $1", [id]);
    if (rowCount === 1) report(`Worker ${name} is gone; its runs continue elsewhere.`);
  }
}

interface DeadRow {
  readonly id: string;
  readonly lock: number;
  readonly name: string;
  readonly pools: string[];
  readonly is_silent: boolean;
}

/** Every worker that has not left, the longest-running first; those that died, too, until another one finds them. */
export async function listWorkers(
  pool: Pick<Pool, "query">,
  projects: readonly string[] = [],
): Promise<readonly ListedWorker[]> {
  const held = await listHeld(pool, projects);
  const { rows } = await pool.query<
    Omit<ListedWorker, "projects" | "runs"> & { readonly projects: string[] | null }
  >(
    `SELECT id, name, host, pid, version, tasks, projects, concurrency,
       is_draining AS "isDraining", started_at AS "startedAt",
       extract(epoch FROM now() - beat_at)::float8 AS "silentSeconds",
       beat_at >= now() - make_interval(secs => $2) AND EXISTS (
         SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE d.datname = current_database() AND l.locktype = 'advisory'
           AND l.classid = $1::oid AND l.objid = lock::oid) AS "isAlive"
     FROM signoff.workers ORDER BY started_at, name`,
    [lockSpace, silentSeconds],
  );
  return rows.map(({ projects: served, ...row }) => ({
    ...row,
    ...(served === null ? {} : { projects: served }),
    runs: held.get(row.id) ?? [],
  }));
}

/** What is being executed in these projects, by worker. */
async function listHeld(
  pool: Pick<Pool, "query">,
  projects: readonly string[],
): Promise<ReadonlyMap<string, readonly HeldRun[]>> {
  const held = new Map<string, HeldRun[]>();
  for (const project of projects) {
    const { rows } = await pool.query<{ run: string; kind: string; worker: string }>(
      `SELECT run, kind, holder_process_start AS worker FROM ${quotedSchema(project)}.runs
       WHERE state = 'running' AND task IS NOT NULL ORDER BY holder_since`,
    );
    for (const { run, kind, worker } of rows) {
      held.set(worker, [...(held.get(worker) ?? []), { project, run, kind }]);
    }
  }
  return held;
}

export function quotedSchema(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}
