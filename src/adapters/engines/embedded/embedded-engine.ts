import type { Key, RunId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/values/instant.ts";
import type { Json } from "../../../domain/values/json.ts";
import { RunHeld, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Engine, SubmitOptions } from "../../../ports/engine.ts";
import type { Budget, Ending, Flow, Job } from "../../../ports/flow.ts";
import type { StoredEvent } from "../../../ports/journal.ts";
import type { Observer } from "../../../ports/observer.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { Answer } from "../../../ports/question.ts";
import type { Holder, NewRun, Owner, RunRecord, RunStore } from "../../../ports/run-store.ts";
import type { RunnerFor } from "../../../ports/runner.ts";
import { digestOfJson, idInRun } from "../run-identity.ts";
import type { Scheduler } from "../scheduler.ts";
import { boundedAll } from "./bounded-all.ts";
import { Execution } from "./execution.ts";

export interface EmbeddedEngineOptions {
  readonly store: RunStore;
  readonly flows: ReadonlyMap<string, Flow>;
  readonly runnerFor: RunnerFor;
  readonly scheduler: Scheduler;
  readonly projectors: readonly Projector[];
  readonly clock: Clock;
  readonly owner: Owner;
  readonly isDead: (holder: Holder, nowMillis: number) => boolean;
  readonly newRunId: () => RunId;
  readonly crash: CrashPoints;
  readonly observer: Observer;
  /** How many children of one run work at once. */
  readonly childConcurrency: number;
}

const leaseMillis = 30_000;
const eventPage = 200;
const pollMillis = 250;

/** Runs flows in this process, on any store that keeps the journal's promises. */
export class EmbeddedEngine implements Engine {
  readonly #options: EmbeddedEngineOptions;
  readonly #executions = new Map<RunId, Execution>();
  #interrupted: "finish" | "now" | undefined;

  constructor(options: EmbeddedEngineOptions) {
    this.#options = options;
  }

  async submit(job: Job, how: SubmitOptions = {}): Promise<RunId> {
    const { run = this.#options.newRunId(), unlessUnfinished } = how;
    const record = await this.#create({ job, run, ...(unlessUnfinished && { unlessUnfinished }) });
    if (!isOver(record)) await this.#wake(record);
    return record.run;
  }

  async findUnfinished(kind: string, input: Json): Promise<RunId | undefined> {
    return (await this.#options.store.findUnfinished(kind, digestOfJson(input)))?.run;
  }

  async resume(
    run: RunId,
    how: { readonly acceptChanges?: boolean; readonly budget?: Budget },
  ): Promise<void> {
    const record = await this.#load(run);
    if (isOver(record)) {
      throw new WorkflowError(`Run ${run} is ${record.state}; there is nothing to resume.`, {
        code: "run-over",
        facts: { run, state: record.state },
      });
    }
    await this.#options.store.reopen(run, how);
    await this.#wake(await this.#load(run));
  }

  async answer(
    decision: string,
    answer: Answer,
    ifVersion: number,
  ): Promise<"recorded" | "already-decided"> {
    const { store } = this.#options;
    const outcome = await store.answer(decision, answer, ifVersion);
    const stored = await store.findDecision(decision);
    if (outcome === "recorded" && stored !== undefined) {
      await this.#wake(await this.#load(stored.run));
    }
    return outcome;
  }

  async cancel(run: RunId, reason: string): Promise<void> {
    await this.#options.store.requestCancel(run, reason, this.#options.clock.now());
    const execution = this.#executions.get(run);
    if (execution === undefined) await this.#endAbandoned(run, reason);
    else execution.cancel(reason);
    for (const child of await this.#options.store.childrenOf(run)) {
      if (!isOver(child)) await this.cancel(child.run, reason);
    }
  }

  /**
   * Ends every execution of this process as interrupted, also those that are about to begin. `finish` lets calls
   * in flight come home and be recorded, because they are paid for; `now` gives them up.
   */
  interrupt(how: "finish" | "now"): void {
    this.#interrupted = how;
    for (const execution of this.#executions.values()) execution.interrupt(how);
  }

  async *events(run: RunId, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent> {
    const { store, clock } = this.#options;
    let seq = afterSeq;
    while (!signal.aborted) {
      const record = await this.#load(run);
      const page = await store.events(run, seq, eventPage);
      for (const event of page) {
        seq = event.seq;
        yield event;
      }
      if (page.length > 0) continue;
      if (!isMoving(record)) return;
      await clock.sleep(pollMillis, signal).catch(() => undefined);
    }
  }

  async ending(run: RunId, signal: AbortSignal): Promise<Ending> {
    const { clock } = this.#options;
    for (;;) {
      const execution = this.#executions.get(run);
      if (execution !== undefined) return execution.ended;
      const record = await this.#load(run);
      if (record.ending !== undefined && !isMoving(record)) return record.ending;
      await clock.sleep(pollMillis, signal);
    }
  }

  async #create(newRun: Omit<NewRun, "inputDigest">): Promise<RunRecord> {
    const record = await this.#options.store.create({
      inputDigest: digestOfJson(newRun.job.input),
      ...newRun,
    });
    this.#options.crash.reach("run-created");
    return record;
  }

  async #load(run: RunId, job?: Job): Promise<RunRecord> {
    const record = await this.#options.store.load(run, job);
    if (record !== undefined) return record;
    throw new WorkflowError(`There is no run ${run}.`, { code: "run-unknown", facts: { run } });
  }

  /** Takes the lease and starts the flow; returns as soon as it runs. */
  async #wake(record: RunRecord): Promise<void> {
    if (this.#executions.has(record.run)) return;
    const { store, crash } = this.#options;
    const taken = await this.#take(record.run);
    if (taken === undefined) return;
    if (taken.kind === "held") throw heldBy(record, taken.holder);
    crash.reach("lease-taken");
    const unusable = unusableKeys(record.ending);
    if (unusable.length > 0) await store.discard(taken.lease, unusable);
    const taking = await this.#load(record.run, record.job);
    const execution = new Execution({
      record: taking,
      lease: taken.lease,
      flow: this.#flowOf(taking),
      leaseUntil: () => this.#expires(),
      runChildren: (jobs) => this.#runChildren(taking.run, jobs),
      ...this.#options,
    });
    this.#executions.set(taking.run, execution);
    if (taking.cancelReason !== undefined) execution.cancel(taking.cancelReason);
    if (this.#interrupted !== undefined) execution.interrupt(this.#interrupted);
    execution.start(() => this.#ended(taking));
  }

  /** Nothing, if another process has brought the run to its end since it was looked at. */
  async #take(run: RunId): Promise<Awaited<ReturnType<RunStore["acquire"]>> | undefined> {
    const { store, clock, isDead } = this.#options;
    try {
      return await store.acquire(run, this.#holder(), (holder) =>
        isDead(holder, millisOf(clock.now())),
      );
    } catch (error) {
      if (error instanceof WorkflowError && error.code === "run-over") return undefined;
      throw error;
    }
  }

  /** A holder that died will never hear that its run was cancelled. */
  async #endAbandoned(run: RunId, reason: string): Promise<void> {
    const { store, clock } = this.#options;
    const record = await this.#load(run);
    if (isOver(record) || record.holder === undefined) return;
    const taken = await this.#take(run);
    if (taken?.kind !== "taken") return;
    const ending: Ending = { kind: "cancelled", reason: record.cancelReason ?? reason };
    await store.end(taken.lease, ending, [], clock.now());
  }

  async #runChildren(parent: RunId, jobs: readonly Job[]): Promise<readonly Ending[]> {
    const signal = new AbortController().signal;
    return boundedAll(jobs, this.#options.childConcurrency, async (job) => {
      this.#executions.get(parent)?.throwIfStopping();
      const child = await this.#create({
        job,
        run: idInRun(parent, `child:${job.id}`) as RunId,
        parent,
      });
      if (!isOver(child)) {
        if (child.ending !== undefined && child.state !== "waiting") {
          await this.#options.store.reopen(child.run, {});
        }
        await this.#wake(child);
      }
      return this.ending(child.run, signal);
    });
  }

  /** Frees the place, and wakes a parent that waited for this run and no other. */
  async #ended(record: RunRecord): Promise<void> {
    this.#executions.delete(record.run);
    if (record.parent === undefined || this.#executions.has(record.parent)) return;
    const parent = await this.#load(record.parent);
    if (parent.state !== "waiting") return;
    const siblings = await this.#options.store.childrenOf(parent.run);
    if (siblings.every((sibling) => !isMoving(sibling) && sibling.state !== "waiting")) {
      await this.#wake(parent).catch((thrown: unknown) => {
        if (!(thrown instanceof RunHeld)) throw thrown;
      });
    }
  }

  #flowOf(record: RunRecord): Flow {
    const flow = this.#options.flows.get(record.job.kind);
    if (flow !== undefined) return flow;
    throw new WorkflowError(`No flow of this version runs jobs of kind "${record.job.kind}".`, {
      code: "flow-unknown",
      facts: { kind: record.job.kind },
    });
  }

  #holder(): Holder {
    return { since: this.#options.clock.now(), expires: this.#expires(), ...this.#options.owner };
  }

  #expires(): Instant {
    return instantFromMillis(millisOf(this.#options.clock.now()) + leaseMillis);
  }
}

/** Over for good: neither the same command nor `resume` goes on with it. */
function isOver(record: RunRecord): boolean {
  return record.state === "finished" || record.state === "cancelled";
}

/** What a failed flow could not use: asking for it again is the only way on. */
function unusableKeys(ending: Ending | undefined): readonly Key[] {
  if (ending?.kind !== "failed") return [];
  const facts = ending.error.facts as { readonly unusable?: Json };
  return Array.isArray(facts.unusable) ? (facts.unusable as readonly Key[]) : [];
}

function isMoving(record: RunRecord): boolean {
  return record.state === "queued" || record.state === "running";
}

function heldBy(record: RunRecord, holder: Holder): RunHeld {
  const { run } = record;
  return new RunHeld(
    `Run ${run} is held by process ${holder.pid} on ${holder.host} since ${holder.since}.`,
    {
      code: "run-held",
      facts: { run, pid: holder.pid, host: holder.host, since: holder.since },
      hint: "Wait for it to end, or stop that process and type the command again.",
    },
  );
}
