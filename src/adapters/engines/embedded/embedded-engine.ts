import { type Key, key, type RunId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/values/instant.ts";
import { isOver } from "../../../domain/values/is-over.ts";
import type { Json } from "../../../domain/values/json.ts";
import { LeaseLost, RunHeld, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Engine, SubmitOptions } from "../../../ports/engine.ts";
import type { Budget, ChildEnding, Ending, Flow, Job, LateJob } from "../../../ports/flow.ts";
import type { Lease, StoredEvent } from "../../../ports/journal.ts";
import type { Observer } from "../../../ports/observer.ts";
import type { Projector } from "../../../ports/projector.ts";
import type { Answer } from "../../../ports/question.ts";
import type { Holder, NewRun, Owner, RunRecord, RunStore } from "../../../ports/run-store.ts";
import type { RunnerFor } from "../../../ports/runner.ts";
import { stopped } from "../flow-stop.ts";
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
  /** Those whose lease is being taken: whoever wants the same run meanwhile waits for the same. */
  readonly #waking = new Map<RunId, Promise<void>>();
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
    await this.#options.store.reopen(run, how);
    await this.#wake(record);
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
      await this.#wakeUnlessHeld(await this.#load(stored.run));
    }
    return outcome;
  }

  async cancel(run: RunId, reason: string): Promise<void> {
    await this.#options.store.requestCancel(run, reason, this.#options.clock.now());
    await this.#stop(run, reason);
  }

  async #stop(run: RunId, reason: string): Promise<void> {
    await this.#waking.get(run)?.catch(() => undefined);
    const execution = this.#executions.get(run);
    if (execution === undefined) await this.#endAbandoned(run, reason);
    else execution.cancel(reason);
    for (const child of await this.#options.store.childrenOf(run)) {
      if (!isOver(child)) await this.#stop(child.run, reason);
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
    const { clock, isDead } = this.#options;
    for (;;) {
      const ended = await this.#executions.get(run)?.ended;
      if (ended !== undefined) return ended;
      const record = await this.#load(run);
      if (record.ending !== undefined && !isMoving(record)) return record.ending;
      // Somebody else worked on it and is gone: nobody will say how it ended.
      if (record.holder !== undefined && isDead(record.holder, millisOf(clock.now()))) {
        return stopped("interrupted", {}).ending;
      }
      await clock.sleep(pollMillis, signal);
    }
  }

  /** Resolves when nothing works in this process, not even a parent that the end of a child has woken. */
  async idle(): Promise<void> {
    while (this.#executions.size > 0) {
      await Promise.allSettled([...this.#executions.values()].map(({ ended }) => ended));
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

  /** Sees to it that the run is at work here; returns as soon as it is, or when it is over. */
  async #wake(record: RunRecord): Promise<void> {
    const { run } = record;
    for (;;) {
      const execution = this.#executions.get(run);
      if (execution === undefined) break;
      if (await this.#isHeldBy(execution)) return;
      // It has ended or lost its lease but has not shut down yet: it will not see what this wakes the run for.
      await execution.ended.catch(() => undefined);
    }
    const known = this.#waking.get(run);
    if (known !== undefined) return known;
    const waking = this.#begin(record).finally(() => this.#waking.delete(run));
    this.#waking.set(run, waking);
    return waking;
  }

  async #isHeldBy({ lease }: Execution): Promise<boolean> {
    const { state, epoch } = await this.#load(lease.run);
    return state === "running" && epoch === lease.epoch;
  }

  /** Takes the lease and starts the flow. Only what is read after that is sure to be so: others may have worked. */
  async #begin({ run, job }: RunRecord): Promise<void> {
    const { store, crash } = this.#options;
    const flow = this.#flowOf(job);
    const taken = await this.#take(run);
    if (taken === undefined) return;
    if (taken.kind === "held") throw heldBy(run, taken.holder);
    crash.reach("lease-taken");
    const { lease } = taken;
    const record = await this.#load(run, job);
    const unusable = unusableKeys(record.ending);
    if (unusable.length > 0) await store.discard(lease, unusable);
    const execution = new Execution({
      record,
      lease,
      flow,
      leaseUntil: () => this.#expires(),
      cancelled: (reason) => this.#stop(run, reason),
      runChildren: (jobs, signal) => this.#runChildren(run, jobs, signal),
      runChild: (child, signal) => this.#runChild(lease, child, signal),
      ...this.#options,
    });
    this.#executions.set(run, execution);
    if (record.cancelReason !== undefined) execution.cancel(record.cancelReason);
    if (this.#interrupted !== undefined) execution.interrupt(this.#interrupted);
    execution.start((goesOn) => this.#ended(record, goesOn));
  }

  #take(run: RunId) {
    const { store, clock, isDead } = this.#options;
    const mayTake = (holder: Holder): boolean => isDead(holder, millisOf(clock.now()));
    return unlessOver(store.acquire(run, this.#holder(), mayTake));
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

  async #runChildren(
    parent: RunId,
    jobs: readonly Job[],
    signal: AbortSignal,
  ): Promise<readonly Ending[]> {
    return boundedAll(jobs, this.#options.childConcurrency, async (job) => {
      this.#executions.get(parent)?.throwIfStopping();
      const child = await this.#create({ job, run: runOfChild(parent, job.id), parent });
      return this.#endingUnder(parent, child, signal);
    });
  }

  async #runChild(lease: Lease, job: Job | LateJob, signal: AbortSignal): Promise<ChildEnding> {
    const { run: parent } = lease;
    this.#executions.get(parent)?.throwIfStopping();
    const run = runOfChild(parent, job.id);
    const child = await this.#childOf(lease, run, job);
    if (child === undefined) return { id: job.id, run };
    const ending = await this.#endingUnder(parent, child, signal);
    return { id: job.id, run: child.run, ending };
  }

  /** The run of a child, created if need be; nothing where there was nothing to do for it. */
  async #childOf(lease: Lease, run: RunId, job: Job | LateJob): Promise<RunRecord | undefined> {
    const { run: parent } = lease;
    if ("input" in job) return this.#create({ job, run, parent });
    const { store } = this.#options;
    const { load, ...late } = job;
    const passedOver = key("passed-over", job.id);
    const known = await store.load(run);
    if (known !== undefined) return known;
    if ((await store.find(parent, passedOver)) !== undefined) return undefined;
    const input = await load(run);
    if (input !== undefined) return this.#create({ job: { ...late, input }, run, parent });
    const digest = digestOfJson(job.id);
    await store.record(lease, { key: passedOver, digest, value: null }, []);
    return undefined;
  }

  /** A run of its own that another command began in this child's place is not waited for: its holder is named. */
  #endingUnder(parent: RunId, child: RunRecord, signal: AbortSignal): Promise<Ending> {
    return child.parent === parent ? this.#endingOfChild(child, signal) : this.#endingAt(child);
  }

  /** A child that somebody else works on is waited for, and goes on here if it is not over then. */
  async #endingOfChild(found: RunRecord, signal: AbortSignal): Promise<Ending> {
    for (let child = found; ; child = await this.#load(found.run, found.job)) {
      try {
        return await this.#endingAt(child);
      } catch (thrown) {
        if (!(thrown instanceof RunHeld || thrown instanceof LeaseLost)) throw thrown;
      }
      await this.#options.clock.sleep(pollMillis, signal);
    }
  }

  /** How a child ends that is worked on here. */
  async #endingAt(child: RunRecord): Promise<Ending> {
    const { run, state, ending } = child;
    if (!isOver(child)) {
      if (ending !== undefined && state !== "waiting") {
        await unlessOver(this.#options.store.reopen(run, {}));
      }
      await this.#wake(child);
    }
    return this.ending(run, new AbortController().signal);
  }

  /** Frees the place. Wakes the run if it goes on at once, else a parent that waited for this run and no other. */
  async #ended(record: RunRecord, goesOn: boolean): Promise<void> {
    this.#executions.delete(record.run);
    const next = goesOn ? record : await this.#waitingFor(record.parent);
    if (next !== undefined) await this.#wakeUnlessHeld(next);
  }

  /** Whoever holds it sees what it is woken for, at the latest when it would end waiting for it. */
  async #wakeUnlessHeld(record: RunRecord): Promise<void> {
    try {
      await this.#wake(record);
    } catch (thrown) {
      if (!(thrown instanceof RunHeld)) throw thrown;
    }
  }

  async #waitingFor(parent: RunId | undefined): Promise<RunRecord | undefined> {
    if (parent === undefined || this.#executions.has(parent)) return undefined;
    const record = await this.#load(parent);
    if (record.state !== "waiting") return undefined;
    const children = await this.#options.store.childrenOf(parent);
    const areDone = children.every((child) => !isMoving(child) && child.state !== "waiting");
    return areDone ? record : undefined;
  }

  #flowOf({ kind }: Job): Flow {
    const flow = this.#options.flows.get(kind);
    if (flow !== undefined) return flow;
    throw new WorkflowError(`No flow of this version runs jobs of kind "${kind}".`, {
      code: "flow-unknown",
      facts: { kind },
    });
  }

  #holder(): Holder {
    return { since: this.#options.clock.now(), expires: this.#expires(), ...this.#options.owner };
  }

  #expires(): Instant {
    return instantFromMillis(millisOf(this.#options.clock.now()) + leaseMillis);
  }
}

/** Nothing, if another process has brought the run to its end since it was looked at. */
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

/** What a failed flow could not use: asking for it again is the only way on. */
function unusableKeys(ending: Ending | undefined): readonly Key[] {
  if (ending?.kind !== "failed") return [];
  const facts = ending.error.facts as { readonly unusable?: Json };
  return Array.isArray(facts.unusable) ? (facts.unusable as readonly Key[]) : [];
}

function isMoving(record: RunRecord): boolean {
  return record.state === "queued" || record.state === "running";
}

function heldBy(run: RunId, holder: Holder): RunHeld {
  return new RunHeld(
    `Run ${run} is held by process ${holder.pid} on ${holder.host} since ${holder.since}.`,
    {
      code: "run-held",
      facts: { run, pid: holder.pid, host: holder.host, since: holder.since },
      hint: "Wait for it to end, or stop that process and type the command again.",
    },
  );
}
