import { EventEmitter } from "node:events";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import type { RunId } from "../../../domain/values/ids.ts";
import { LeaseLost, RunHeld, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Executions } from "../executions.ts";
import type { WorkerEntry, WorkerRegistry } from "./worker-registry.ts";

export interface WorkerParts {
  readonly self: WorkerEntry;
  readonly pool: Pool;
  readonly registry: WorkerRegistry;
  /** The executions of a project, opened when its first run arrives. */
  readonly executionsOf: (project: string) => Promise<Executions>;
  /** Projects of the database that this worker must not touch. */
  readonly foreign: () => Promise<string[]>;
  readonly clock: Clock;
  readonly report: (sentence: string) => void;
}

interface QueuedRun {
  readonly project: string;
  readonly run: RunId;
}

const beatMillis = 5_000;
const buryMillis = 2_000;
const requeueMillis = 10_000;
/** Only for what is never announced: each of the places asks the queue by itself. */
const pollMillis = 10_000;
const restartMillis = 1_000;
const troubleMillis = 3_000;

/** Takes queued runs from the database and executes them, until it is asked to drain. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #opened = new Map<string, Promise<Executions>>();
  readonly #stopped = new AbortController();
  #runner: Runner | undefined;
  #outage = false;
  #trouble: string | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
  }

  get isDraining(): boolean {
    return this.#stopped.signal.aborted;
  }

  /**
   * Calls `ready` when the others know this worker. Resolves when it has drained. Throws if the database cannot be reached
   * at the start.
   */
  async work(ready: () => void = () => undefined): Promise<void> {
    const { registry } = this.#parts;
    await registry.beat();
    ready();
    const chores = [
      this.#every(beatMillis, () => this.#beat()),
      this.#every(buryMillis, () => registry.buryDead()),
      this.#every(requeueMillis, () => registry.requeue()),
    ];
    while (!this.#stopped.signal.aborted) {
      await this.#takeJobs();
      await this.#pause(restartMillis);
    }
    await Promise.all(chores);
    const opened = await Promise.allSettled(this.#opened.values());
    for (const one of opened) if (one.status === "fulfilled") await one.value.idle();
    // If the database is away, the others find out by the lock.
    await registry.leave().catch(() => undefined);
  }

  /** No new work; calls in flight are recorded, because they are paid for, and the rest is handed back. */
  async drain(how: "finish" | "now" = "finish"): Promise<void> {
    this.#stopped.abort();
    for (const opened of this.#opened.values()) {
      (await opened.catch(() => undefined))?.interrupt(how);
    }
    await this.#parts.registry.drain().catch(() => undefined);
    await this.#runner?.stop().catch(() => undefined);
  }

  /** Returns when the queue cannot be read any more, or this worker drains. */
  async #takeJobs(): Promise<void> {
    const { pool, self, registry, foreign } = this.#parts;
    const { run, Logger } = await import("graphile-worker");
    const events: WorkerEvents = new EventEmitter();
    events.on("pool:create", ({ workerPool }) => {
      // If the database is away, the next beat tells it.
      registry.addPool(workerPool.id).catch(() => undefined);
    });
    let isRead = false;
    for (const read of ["worker:getJob:empty", "job:start"] as const) {
      events.on(read, () => {
        isRead = true;
      });
    }
    events.on("worker:getJob:error", ({ error }) => {
      this.#reportOnce(`The queue cannot be read: ${textOf(error)}. It is tried again.`);
      // A pool that could not read its list of tasks at first never reads it again.
      if (!isRead) void starting.then((runner) => runner.stop()).catch(() => undefined);
    });
    const starting = run({
      pgPool: pool,
      events,
      // Without batches the end of a job is not awaited, and a lost connection would end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      concurrency: self.concurrency,
      noHandleSignals: true,
      pollInterval: pollMillis,
      logger: new Logger(() => () => undefined),
      forbiddenFlags: foreign,
      parsedCronItems: [],
      taskList: Object.fromEntries(
        self.tasks.map((task) => [task, (queued: unknown) => this.#execute(queued as QueuedRun)]),
      ),
    });
    try {
      const runner = await starting;
      this.#runner = runner;
      this.#trouble = undefined;
      if (this.#stopped.signal.aborted) await runner.stop();
      await runner.promise;
    } catch (error) {
      this.#reportOnce(`The queue cannot be read: ${textOf(error)}. It is tried again.`);
    }
  }

  /** While the database takes no writes, the run stays here: it is tried again until it does. */
  async #execute(queued: QueuedRun): Promise<void> {
    for (;;) {
      try {
        return await this.#executeOnce(queued);
      } catch (error) {
        if (isHarmless(error)) return;
        if (!isTroubleOfStore(error) || this.#stopped.signal.aborted) throw error;
        this.#reportOnce(`A run cannot go on yet: ${textOf(error)}. It is tried again.`);
      }
      await this.#pause(troubleMillis);
    }
  }

  async #executeOnce({ project, run }: QueuedRun): Promise<void> {
    const executions = await this.#executionsOf(project);
    if (this.#stopped.signal.aborted) throw new Error("This worker is draining.");
    await executions.execute(run);
    this.#trouble = undefined;
  }

  /** What lasts is reported once, and an outage by the beat. */
  #reportOnce(sentence: string): void {
    const isKnown = this.#outage || sentence === this.#trouble || this.#stopped.signal.aborted;
    if (!isKnown) this.#parts.report(sentence);
    this.#trouble = sentence;
  }

  #executionsOf(project: string): Promise<Executions> {
    const known = this.#opened.get(project) ?? this.#parts.executionsOf(project);
    this.#opened.set(project, known);
    known.catch(() => this.#opened.delete(project));
    return known;
  }

  async #every(millis: number, chore: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      // While the database is away, the beat reports it.
      await chore().catch(() => undefined);
      await this.#pause(this.#outage ? restartMillis : millis);
    }
  }

  /** An outage of the database is reported once, when it begins and when it ends. */
  async #beat(): Promise<void> {
    const { registry, report } = this.#parts;
    try {
      await registry.beat();
      if (this.#outage) report("The database is back.");
      this.#outage = false;
    } catch (error) {
      if (!this.#outage) report(`The database cannot be reached: ${textOf(error)}.`);
      this.#outage = true;
    }
  }

  async #pause(millis: number): Promise<void> {
    await this.#parts.clock.sleep(millis, this.#stopped.signal).catch(() => undefined);
  }
}

/** Another process has the run, or it was removed: there is nothing left to do for this job. */
function isHarmless(error: unknown): boolean {
  if (error instanceof RunHeld || error instanceof LeaseLost) return true;
  return error instanceof WorkflowError && error.code === "run-unknown";
}

/** The run has done nothing wrong: the store is away, full, read-only or not migrated yet. */
function isTroubleOfStore(error: unknown): boolean {
  return error instanceof WorkflowError && error.code.startsWith("store-");
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/u, "");
}
