import { readUsage } from "../../domain/models/usage.ts";
import type { CrashPoint } from "../../domain/values/crash-points.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Digest } from "../../domain/values/digest.ts";
import type { Key, RunId } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import { AskFailed, WorkflowError } from "../../domain/values/workflow-error.ts";
import type {
  Ask,
  AskEnding,
  ChildEnding,
  Ending,
  FlowContext,
  FlowEvent,
  Job,
  LateJob,
} from "../../ports/flow.ts";
import type { AttemptEnd, Recorded, StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Answer, Question } from "../../ports/question.ts";
import type { AskRequest, Reply, RunnerFor, StoredError } from "../../ports/runner.ts";
import { FlowStop, stopped } from "./flow-stop.ts";
import { inWindow } from "./in-window.ts";
import { LiveCall, type RunServices } from "./live-call.ts";
import { Projection } from "./projection.ts";
import { decisionId, digestOfJson, digestOfRequest, idInRun, nonceInRun } from "./run-identity.ts";
import type { Scheduler } from "./scheduler.ts";
import { storedError } from "./stored-error.ts";

export interface ContextParts extends RunServices {
  readonly scheduler: Scheduler;
  readonly runnerFor: RunnerFor;
  readonly projectors: readonly Projector[];
  /** Aborted when calls in flight must be abandoned. */
  readonly signal: AbortSignal;
  /** Aborted when nothing new may start. */
  readonly waitSignal: AbortSignal;
  /** Why no new call may start; undefined while calls may. */
  readonly stopping: () => FlowStop | undefined;
  readonly runChildren: (jobs: readonly Job[], signal: AbortSignal) => Promise<readonly Ending[]>;
  readonly runChild: (job: Job | LateJob, signal: AbortSignal) => Promise<ChildEnding>;
}

/** Recorded in place of a reply if the flow continues without one. */
interface RecordedFailure {
  readonly failed: StoredError;
}

/** One execution of one run: looks up everything in the journal before doing it. */
export class RecordedContext implements FlowContext {
  readonly run: RunId;
  readonly job: Job;
  readonly #parts: ContextParts;
  readonly #projection: Projection;
  readonly #keys = new Set<Key>();
  #events: StoredEvent[] = [];
  #seq = 0;

  constructor(parts: ContextParts) {
    this.run = parts.record.run;
    this.job = parts.record.job;
    this.#parts = parts;
    this.#projection = new Projection(parts);
  }

  async ask(key: Key, request: AskRequest): Promise<Reply> {
    const ending = await this.#askOne({ key, request });
    if (ending.kind === "replied") return ending.reply;
    const { code, message, retryable } = ending.error;
    throw new AskFailed(message, { code, retryable, cause: ending.cause });
  }

  #replayed(key: Key, request: AskRequest, recorded: Reply): Reply {
    const { usage: given, ...said } = recorded;
    // Older versions recorded figures as they came.
    const usage = readUsage(given);
    const reply = { ...said, replayed: true, ...defined({ usage }) };
    this.#parts.observer.notice({
      kind: "call-replied",
      run: this.run,
      key,
      role: request.role,
      model: reply.model,
      seconds: 0,
      replayed: true,
      ...defined({ usage }),
    });
    return reply;
  }

  async askAll(asks: readonly Ask[]): Promise<readonly AskEnding[]> {
    const settled = await Promise.allSettled(asks.map((ask) => this.#askOne(ask)));
    const stops = settled.flatMap((one) =>
      one.status === "rejected" && !(one.reason instanceof AskFailed) ? [one.reason] : [],
    );
    if (stops.length > 0) throw mergedStop(stops);
    return settled.map((one) =>
      one.status === "fulfilled"
        ? one.value
        : { kind: "failed", error: storedError(one.reason), cause: one.reason },
    );
  }

  async #askOne({ key, request, mayFail }: Ask): Promise<AskEnding> {
    const digest = digestOfRequest(request);
    const found = await this.#find(key, digest);
    if (found !== undefined) {
      const value = found.value as unknown as Reply | RecordedFailure;
      return "failed" in value
        ? { kind: "failed", error: value.failed }
        : { kind: "replied", reply: this.#replayed(key, request, value) };
    }
    try {
      return { kind: "replied", reply: await this.#askNow(key, digest, request) };
    } catch (thrown) {
      if (mayFail !== true || !(thrown instanceof AskFailed)) throw thrown;
      const failure: RecordedFailure = { failed: storedError(thrown) };
      await this.#record({ key, digest, value: failure as unknown as Json });
      return { kind: "failed", error: failure.failed, cause: thrown };
    }
  }

  async step<T extends Json>(
    key: Key,
    facts: Json,
    effect: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const digest = digestOfJson(facts);
    const found = await this.#find(key, digest);
    if (found !== undefined) return found.value as T;
    await this.#publish();
    const end = await this.#startTimed(key, digest);
    const value = await effect(this.#parts.signal);
    await this.#record({ key, digest, value }, end?.());
    return value;
  }

  /** A step costs only time, so it is in the ledger only if time is limited. */
  async #startTimed(key: Key, digest: Digest): Promise<(() => AttemptEnd) | undefined> {
    const { record, lease, store, clock } = this.#parts;
    if (record.budget.seconds === undefined) return undefined;
    const began = clock.monotonic();
    const start = { key, digest, model: "step", reserve: {}, at: clock.now() };
    const started = await store.start(lease, start, []);
    if (started.kind === "over-budget") throw stopped("budget", started.facts);
    return () => {
      const seconds = (clock.monotonic() - began) / 1000;
      return { attempt: started.attempt, finishedAt: clock.now(), seconds };
    };
  }

  async children(jobs: readonly Job[]): Promise<readonly Ending[]> {
    await this.flush();
    const endings = await this.#parts.runChildren(jobs, this.#parts.waitSignal);
    this.#throwIfStopping();
    const open = endings.flatMap((ending) => (ending.kind === "waiting" ? ending.decisions : []));
    if (open.length > 0) throw new FlowStop({ kind: "waiting", decisions: open });
    return endings;
  }

  async *childrenOf(
    jobs: Iterable<Job | LateJob> | AsyncIterable<Job | LateJob>,
    window: number,
  ): AsyncGenerator<ChildEnding> {
    await this.flush();
    const decisions: string[] = [];
    let stop: FlowStop | undefined;
    const endings = inWindow(jobs, {
      window,
      work: async (job) => {
        const ended = await this.#parts.runChild(job, this.#parts.waitSignal);
        if (ended.ending?.kind === "waiting") decisions.push(...ended.ending.decisions);
        return ended;
      },
      holdsBack: ({ ending }) => ending !== undefined && ending.kind !== "finished",
    });
    for await (const ended of endings) {
      this.#throwIfStopping();
      stop = stopOfChild(ended.ending);
      if (stop !== undefined) break;
      yield ended;
      await this.flush();
    }
    this.#throwIfStopping();
    if (decisions.length > 0) throw new FlowStop({ kind: "waiting", decisions });
    if (stop !== undefined) throw stop;
  }

  async waitForDecision(key: Key, question: Question): Promise<Answer> {
    this.#claim(key);
    await this.flush();
    const decision = await this.#parts.store.openDecision(this.#parts.lease, {
      id: decisionId(this.run, key),
      run: this.run,
      key,
      question,
      askedAt: this.#parts.clock.now(),
    });
    if (decision.answer !== undefined) return decision.answer;
    throw new FlowStop({ kind: "waiting", decisions: [decision.id] });
  }

  emit(event: FlowEvent): void {
    this.#seq += 1;
    const [run, seq] = [this.run, this.#seq];
    const { lease, record, observer } = this.#parts;
    // A replay mostly emits events that are already stored and projected: they need not be encoded again.
    const stored =
      lease.epoch === 1
        ? { run, seq, kind: event.kind, data: event.data }
        : new LazyEvent(run, seq, event);
    observer.notice({ kind: "event", event: stored });
    if (seq > record.projectedSeq) this.#events.push(stored);
  }

  newId(name: string): string {
    return idInRun(this.run, name);
  }

  nonce(name: string): string {
    return nonceInRun(this.run, name);
  }

  checkpoint(name: CrashPoint): void {
    this.#parts.crash.reach(name);
  }

  /** Stores and projects the events emitted since the last write, waits for all files and marks them as projected. */
  async flush(): Promise<void> {
    await this.#publish();
    await this.#projection.settle();
  }

  /** The events projected here are marked with the next write, or by `flush`. */
  async #publish(): Promise<void> {
    const events = this.#takeEvents();
    if (events.length > 0) {
      const { store, lease } = this.#parts;
      await store.appendEvents(lease, events, this.#projection.takeUnmarked());
    }
    this.#project(events);
    await this.#projection.ended();
  }

  /** Resolves when nothing is written for this run any more, whatever its outcome. */
  quiet(): Promise<void> {
    return this.#projection.quiet();
  }

  async #askNow(key: Key, digest: Digest, request: AskRequest): Promise<Reply> {
    const { lease, store, scheduler, runnerFor, signal, waitSignal, record } = this.#parts;
    const resolved = await runnerFor(request.model, record.settings);
    const call = new LiveCall({ ...this.#parts, key, digest, request, resolved });
    return call.perform(scheduler, { signal, waitSignal }, async (start) => {
      // A call need not wait for files, but it does not start if writing failed or is far behind.
      await this.#projection.room();
      this.#throwIfStopping();
      const events = this.#takeEvents();
      const projected = this.#projection.takeUnmarked();
      const marked = projected === undefined ? start : { projected, ...start };
      const started = await store.start(lease, marked, events);
      this.#project(events);
      return started;
    });
  }

  async #find(key: Key, digest: Digest): Promise<Recorded | undefined> {
    this.#claim(key);
    this.#throwIfStopping();
    const { store, record, lease } = this.#parts;
    // Before the first lease nothing can have been recorded.
    if (lease.epoch === 1) return undefined;
    const found = await store.find(this.run, key);
    if (found === undefined || found.digest === digest || record.acceptsChanges) return found;
    const before = await store.facts(this.run, key);
    throw stopped("definition-changed", {
      key,
      recorded: found.digest,
      now: digest,
      ...defined({ recordedCall: before && { ...before } }),
    });
  }

  async #record(entry: Recorded, end?: AttemptEnd): Promise<void> {
    const events = this.#takeEvents();
    const call = end === undefined ? undefined : { end };
    await this.#parts.store.record(this.#parts.lease, entry, events, call);
    this.#parts.crash.reach("reply-recorded");
    this.#project(events);
    await this.#projection.ended();
  }

  #project(events: readonly StoredEvent[]): void {
    if (events.length === 0) return;
    this.#parts.crash.reach("events-stored");
    this.#projection.begin(events);
  }

  #takeEvents(): readonly StoredEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #throwIfStopping(): void {
    const stop = this.#parts.stopping();
    if (stop !== undefined) throw stop;
  }

  #claim(key: Key): void {
    if (this.#keys.has(key)) {
      throw new WorkflowError(`The flow "${this.job.kind}" used the key ${key} twice.`, {
        code: "key-used-twice",
        facts: { key, kind: this.job.kind },
      });
    }
    this.#keys.add(key);
  }
}

/** An event whose data is encoded once, when it is first read. */
class LazyEvent implements StoredEvent {
  readonly run: RunId;
  readonly seq: number;
  readonly #event: FlowEvent;
  #data: Json | undefined;

  constructor(run: RunId, seq: number, event: FlowEvent) {
    this.run = run;
    this.seq = seq;
    this.#event = event;
  }

  get kind(): string {
    return this.#event.kind;
  }

  get data(): Json {
    this.#data ??= this.#event.data;
    return this.#data;
  }

  toJSON(): Json {
    return { run: this.run, seq: this.seq, kind: this.kind, data: this.data };
  }
}

/** A child that waits for a person, or has used up the budget it shares with its parent, stops the parent, too. */
function stopOfChild(ending: Ending | undefined): FlowStop | undefined {
  if (ending?.kind === "waiting") return new FlowStop(ending);
  return ending?.kind === "stopped" && ending.reason === "budget"
    ? new FlowStop(ending)
    : undefined;
}

/** Several asks of one fan-out may wait for people: all their questions stay open. A real error takes precedence. */
function mergedStop(stops: readonly unknown[]): unknown {
  const decisions: string[] = [];
  for (const stop of stops) {
    if (!(stop instanceof FlowStop) || stop.ending.kind !== "waiting") return stop;
    decisions.push(...stop.ending.decisions);
  }
  return new FlowStop({ kind: "waiting", decisions });
}
