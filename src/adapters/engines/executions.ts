import { defined } from "../../domain/values/defined.ts";
import { type Key, key, type RunId } from "../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/values/instant.ts";
import { isOver } from "../../domain/values/is-over.ts";
import type { Json } from "../../domain/values/json.ts";
import { LeaseLost, RunHeld, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { ChildEnding, Ending, Flow, Job, LateJob } from "../../ports/flow.ts";
import type { Lease } from "../../ports/journal.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Projector } from "../../ports/projector.ts";
import type {
  Holder,
  NewRun,
  Owner,
  Reopening,
  RunRecord,
  RunStore,
  Term,
} from "../../ports/run-store.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { boundedAll } from "./bounded-all.ts";
import { type Elsewhere, reopenHereOrElsewhere } from "./elsewhere.ts";
import { Execution } from "./execution.ts";
import { stopped } from "./flow-stop.ts";
import { heldBy } from "./held-by.ts";
import { isSameProcess } from "./process-owner.ts";
import { digestOfJson, idInRun } from "./run-identity.ts";
import type { Scheduler } from "./scheduler.ts";

export interface ExecutionsOptions {
  readonly store: RunStore;
  readonly flows: ReadonlyMap<string, Flow>;
  readonly runnerFor: RunnerFor;
  readonly scheduler: Scheduler;
  readonly projectors: readonly Projector[];
  readonly clock: Clock;
  readonly owner: Owner;
  readonly isDead: (holder: Holder, nowMillis: number) => boolean;
  readonly crash: CrashPoints;
  readonly observer: Observer;
  /** How many children of one run are executed at once. */
  readonly childConcurrency: number;
  /** Absent: every run is executed here. */
  readonly elsewhere?: Elsewhere;
}

const leaseMillis = 30_000;
export const pollMillis = 250;

/** The runs that this process executes, on any store that implements the journal correctly. */
export class Executions {
  readonly #options: ExecutionsOptions;
  readonly #executions = new Map<RunId, Execution>();
  /** Runs whose lease is being taken; concurrent callers share the promise. */
  readonly #waking = new Map<RunId, Promise<void>>();
  /** Why this process could not end a run that it holds, for callers that ask only afterwards. */
  readonly #left = new Map<RunId, { readonly epoch: number; readonly cause: unknown }>();
  readonly #leaving = new AbortController();
  #interrupted: "finish" | "now" | undefined;

  constructor(options: ExecutionsOptions) {
    this.#options = options;
  }

  get executesAny(): boolean {
    return this.#executions.size + this.#waking.size > 0;
  }

  /** Cancels the run and its children as far as they are executed here or have no living holder. */
  async stop(run: RunId, reason: string): Promise<void> {
    await this.#waking.get(run)?.catch(() => undefined);
    const execution = this.#executions.get(run);
    if (execution === undefined) await this.#endAbandoned(run, reason);
    else execution.cancel(reason);
    for (const child of await this.#options.store.listChildren(run)) {
      if (!isOver(child)) await this.stop(child.run, reason);
    }
  }

  /**
   * Ends every execution of this process as interrupted, including those about to start. `finish` waits for calls in
   * flight and records them, because they are paid for; `now` abandons them.
   */
  interrupt(how: "finish" | "now"): void {
    this.#interrupted = how;
    this.#leaving.abort();
    for (const execution of this.#executions.values()) execution.interrupt(how);
  }

  async ending(run: RunId, signal: AbortSignal): Promise<Ending> {
    for (let job: Job | undefined; ; ) {
      const ended = await this.#executions.get(run)?.ended;
      if (ended !== undefined) return ended;
      const record = await this.load(run, job);
      job = record.job;
      const left = this.#left.get(run);
      if (left?.epoch === record.epoch && isActive(record)) throw left.cause;
      const found = await this.#endingOf(record, signal);
      if (found !== undefined) return found;
    }
  }

  /** Undefined after a while, if the run has not ended by then. */
  async #endingOf(record: RunRecord, signal: AbortSignal): Promise<Ending | undefined> {
    const { clock, isDead, elsewhere } = this.#options;
    const isElsewhere = this.#isElsewhere(record);
    if (record.ending !== undefined && !isActive(record)) {
      if (isElsewhere) await elsewhere?.ended?.(record);
      return record.ending;
    }
    if (isElsewhere) {
      await elsewhere?.changed(record, AbortSignal.any([signal, this.#leaving.signal]));
      signal.throwIfAborted();
      // Only this process stops waiting: the run continues elsewhere.
      return this.#interrupted && stopped("interrupted", {}).ending;
    }
    // Its holder is another process that has died: no ending will be written.
    if (record.holder !== undefined && isDead(record.holder, millisOf(clock.now()))) {
      return stopped("interrupted", {}).ending;
    }
    await clock.sleep(pollMillis, signal);
    return undefined;
  }

  isExecuting(run: RunId): boolean {
    return this.#executions.has(run);
  }

  /** Resolves when nothing is running in this process, not even a parent woken by the end of a child. */
  async idle(): Promise<void> {
    while (this.#executions.size > 0) {
      await Promise.allSettled([...this.#executions.values()].map(({ ended }) => ended));
    }
  }

  async create(newRun: Omit<NewRun, "inputDigest">): Promise<RunRecord> {
    const { store, elsewhere } = this.#options;
    const task = elsewhere?.taskOf(newRun.job);
    const inputDigest = digestOfJson(newRun.job.input);
    const record = await store.create({ inputDigest, ...newRun, ...defined({ task }) });
    this.#options.crash.reach("run-created");
    return record;
  }

  reopen(record: RunRecord, how: Reopening): Promise<void> {
    return reopenHereOrElsewhere(record, how, this.#options);
  }

  async load(run: RunId, job?: Job): Promise<RunRecord> {
    const record = await this.#options.store.load(run, job);
    if (record !== undefined) return record;
    throw new WorkflowError(`There is no run ${run}.`, { code: "run-unknown", facts: { run } });
  }

  /** Makes sure the run is being executed; returns as soon as it is, or if it is over. */
  async wake(record: RunRecord): Promise<void> {
    if (!this.#isElsewhere(record)) await this.#wakeHere(record);
  }

  /** Executes a queued run here. Resolves when it needs no place any more: at its end, or waiting for runs elsewhere. */
  async execute(run: RunId): Promise<void> {
    const record = await this.load(run);
    if (isOver(record)) return;
    await this.#wakeHere(record);
    const execution = this.#executions.get(run);
    await Promise.race([execution?.ended, execution?.rested].filter((each) => each !== undefined));
  }

  #isElsewhere({ task }: Pick<RunRecord, "task">): boolean {
    return this.#options.elsewhere !== undefined && task !== undefined;
  }

  async #wakeHere(record: RunRecord): Promise<void> {
    const { run } = record;
    for (;;) {
      const execution = this.#executions.get(run);
      if (execution === undefined) break;
      if (await this.#isHeldBy(execution)) return;
      // It has ended or lost its lease but has not shut down yet, so it will not notice why the run was woken.
      await execution.ended.catch(() => undefined);
    }
    const known = this.#waking.get(run);
    if (known !== undefined) return known;
    const waking = this.#begin(record).finally(() => this.#waking.delete(run));
    this.#waking.set(run, waking);
    return waking;
  }

  async #isHeldBy({ lease }: Execution): Promise<boolean> {
    const { state, epoch } = await this.load(lease.run);
    return state === "running" && epoch === lease.epoch;
  }

  /** Takes the lease, then loads the record: before that, another process may still have changed it. */
  async #begin(found: RunRecord): Promise<void> {
    const { store, crash } = this.#options;
    const { run, job } = found;
    const flow = this.#flowOf(found);
    const taken = await this.#take(run);
    if (taken === undefined) return;
    if (taken.kind === "held") throw heldBy(run, taken.holder);
    crash.reach("lease-taken");
    const { lease } = taken;
    const record = await this.load(run, job);
    const unusable = unusableKeys(record.ending);
    if (unusable.length > 0) await store.discard(lease, unusable);
    const execution = new Execution({
      record,
      lease,
      flow,
      nextTerm: () => this.#term(),
      handsBack: this.#isElsewhere(record),
      cancelled: (reason) => this.stop(run, reason),
      runChildren: (jobs, signal) => this.#runChildren(run, jobs, signal),
      runChild: (child, signal) => this.#runChild(lease, child, signal),
      ...this.#options,
    });
    this.#executions.set(run, execution);
    if (record.cancelReason !== undefined) execution.cancel(record.cancelReason);
    if (this.#interrupted !== undefined) execution.interrupt(this.#interrupted);
    execution.start((continues) => this.#ended(record, continues));
    const { epoch } = lease;
    execution.ended.catch((cause: unknown) => this.#left.set(run, { epoch, cause }));
  }

  /** A run that this process left because the store failed may be taken again, although its holder is alive. */
  async #take(run: RunId) {
    const { store, isDead, owner } = this.#options;
    const left = this.#left.get(run);
    const wasLeft = left !== undefined && left.epoch === (await this.load(run)).epoch;
    const mayTake = (holder: Holder, now: Instant): boolean =>
      (wasLeft && isSameProcess(holder, owner)) || isDead(holder, millisOf(now));
    return unlessOver(store.acquire(run, this.#holder(), mayTake));
  }

  /** A dead holder will never see the cancel request. */
  async #endAbandoned(run: RunId, reason: string): Promise<void> {
    const { store, clock } = this.#options;
    const record = await this.load(run);
    if (isOver(record) || record.holder === undefined) return;
    const taken = await this.#take(run);
    if (taken?.kind !== "taken") return;
    const ending: Ending = { kind: "cancelled", reason: record.cancelReason ?? reason };
    await store.end(taken.lease, ending, [], clock.now());
  }

  async #runChildren(
    parent: RunId,
    jobs: readonly Job[],
    signal: AbortSignal,
  ): Promise<readonly Ending[]> {
    return boundedAll(jobs, this.#options.childConcurrency, async (job) => {
      this.#executions.get(parent)?.throwIfStopping();
      const child = await this.create({ job, run: runOfChild(parent, job.id), parent });
      return this.#endingUnder(parent, child, signal);
    });
  }

  async #runChild(lease: Lease, job: Job | LateJob, signal: AbortSignal): Promise<ChildEnding> {
    const { run: parent } = lease;
    this.#executions.get(parent)?.throwIfStopping();
    const run = runOfChild(parent, job.id);
    const child = await this.#childOf(lease, { run, job, signal });
    if (child === undefined) return { id: job.id, run };
    const ending = await this.#endingUnder(parent, child, signal);
    return { id: job.id, run: child.run, ending };
  }

  /** The run of a child, created if necessary; undefined if the child has no input. */
  async #childOf(
    lease: Lease,
    about: { readonly run: RunId; readonly job: Job | LateJob; readonly signal: AbortSignal },
  ): Promise<RunRecord | undefined> {
    const { run: parent } = lease;
    const { run, job, signal } = about;
    if ("input" in job) return this.create({ job, run, parent });
    const { store } = this.#options;
    const { load, ...late } = job;
    const passedOver = key("passed-over", job.id);
    const known = await store.load(run);
    if (known !== undefined) return known;
    if ((await store.find(parent, passedOver)) !== undefined) return undefined;
    const input = await load(run, signal);
    if (input !== undefined) return this.create({ job: { ...late, input }, run, parent });
    const digest = digestOfJson(job.id);
    await store.record(lease, { key: passedOver, digest, value: null }, []);
    return undefined;
  }

  /** If another command started this child as a top-level run, it is not awaited: the error names its holder. */
  #endingUnder(parent: RunId, child: RunRecord, signal: AbortSignal): Promise<Ending> {
    if (this.#isElsewhere(child)) {
      this.#executions.get(parent)?.rest();
      return this.#endingAt(child, signal);
    }
    return child.parent === parent ? this.#endingOfChild(child, signal) : this.#endingAt(child);
  }

  /** Waits for a child that another process holds, and continues it here if it is not over then. */
  async #endingOfChild(found: RunRecord, signal: AbortSignal): Promise<Ending> {
    for (let child = found; ; child = await this.load(found.run, found.job)) {
      try {
        return await this.#endingAt(child);
      } catch (thrown) {
        if (!(thrown instanceof RunHeld || thrown instanceof LeaseLost)) throw thrown;
      }
      await this.#options.clock.sleep(pollMillis, signal);
    }
  }

  /** The ending of a child, which is continued if it is not over. */
  async #endingAt(
    child: RunRecord,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Ending> {
    const { run, state, ending } = child;
    if (!isOver(child)) {
      if (ending !== undefined && state !== "waiting") {
        await unlessOver(this.#options.store.reopen(run, {}));
      }
      await this.wake(child);
    }
    return this.ending(run, signal);
  }

  /** Wakes the run again if it continues at once, else a parent that was waiting for this run only. */
  async #ended(record: RunRecord, continues: boolean): Promise<void> {
    this.#executions.delete(record.run);
    const next = continues ? record : await this.#waitingFor(record.parent);
    if (next !== undefined) await this.wakeUnlessHeld(next);
  }

  /** If another process holds it, that process notices, at the latest when it would end as waiting. */
  async wakeUnlessHeld(record: RunRecord): Promise<void> {
    try {
      await this.wake(record);
    } catch (thrown) {
      if (!(thrown instanceof RunHeld)) throw thrown;
    }
  }

  async #waitingFor(parent: RunId | undefined): Promise<RunRecord | undefined> {
    if (parent === undefined || this.#executions.has(parent)) return undefined;
    const record = await this.load(parent);
    if (record.state !== "waiting") return undefined;
    const children = await this.#options.store.listChildren(parent);
    const areDone = children.every((child) => !isActive(child) && child.state !== "waiting");
    return areDone ? record : undefined;
  }

  /** A worker ends what it does not know: the task names the version of the flows, so no other worker knows it either. */
  #flowOf(record: RunRecord): Flow {
    const { kind } = record.job;
    const flow = this.#options.flows.get(kind);
    if (flow !== undefined) return flow;
    const error = new WorkflowError(`No flow of this version runs jobs of kind "${kind}".`, {
      code: "flow-unknown",
      facts: { kind },
    });
    if (!this.#isElsewhere(record)) throw error;
    return () => Promise.reject(error);
  }

  #holder(): Holder {
    return { ...this.#term(), ...this.#options.owner };
  }

  #term(): Term {
    const since = this.#options.clock.now();
    return { since, expires: instantFromMillis(millisOf(since) + leaseMillis) };
  }
}

/** Undefined if another process has ended the run meanwhile. */
async function unlessOver<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof WorkflowError && error.code === "run-over") return undefined;
    throw error;
  }
}

function runOfChild(parent: RunId, job: string): RunId {
  return idInRun(parent, `child:${job}`) as RunId;
}

/** Replies that a failed flow could not use; they must be asked for again. */
function unusableKeys(ending: Ending | undefined): readonly Key[] {
  if (ending?.kind !== "failed") return [];
  const facts = ending.error.facts as { readonly unusable?: Json };
  return Array.isArray(facts.unusable) ? (facts.unusable as readonly Key[]) : [];
}

export function isActive(record: Pick<RunRecord, "state">): boolean {
  return record.state === "queued" || record.state === "running";
}
