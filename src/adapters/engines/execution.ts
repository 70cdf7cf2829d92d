import { defined } from "../../domain/values/defined.ts";
import { LeaseLost, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Ending, Flow } from "../../ports/flow.ts";
import type { Lease } from "../../ports/journal.ts";
import type { Term } from "../../ports/run-store.ts";
import { FlowStop, stopped } from "./flow-stop.ts";
import { type ContextParts, RecordedContext } from "./recorded-context.ts";
import { storedError } from "./stored-error.ts";

export interface ExecutionParts extends Omit<ContextParts, "signal" | "waitSignal" | "stopping"> {
  readonly flow: Flow;
  readonly nextTerm: () => Term;
  /** An interrupted run is queued again for another process, and does not end. */
  readonly handsBack?: boolean;
  /** Called when another process has requested cancellation. */
  readonly cancelled: (reason: string) => Promise<void>;
}

interface Outcome {
  readonly ending: Ending;
  readonly cause?: unknown;
}

const heartbeatMillis = 5_000;

/** Executes one run in this process, from taking the lease to releasing it. */
export class Execution {
  readonly #parts: ExecutionParts;
  readonly #abort = new AbortController();
  readonly #quit = new AbortController();
  readonly #context: RecordedContext;
  readonly #rested = Promise.withResolvers<void>();
  #stop: FlowStop | undefined;
  #isBeating = false;
  #ended: Promise<Ending | undefined> | undefined;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#context = new RecordedContext({
      signal: this.#abort.signal,
      waitSignal: this.#quit.signal,
      stopping: () => this.#stop,
      ...parts,
    });
  }

  /**
   * Undefined if the run continues at once, because what it would wait for has happened. Rejects only if this process
   * must not record the ending (lease lost, store broken).
   */
  get ended(): Promise<Ending | undefined> {
    if (this.#ended === undefined) throw new Error("the execution was not started");
    return this.#ended;
  }

  /** Resolves when the run waits for runs that are executed elsewhere. */
  get rested(): Promise<void> {
    return this.#rested.promise;
  }

  rest(): void {
    this.#rested.resolve();
  }

  get lease(): Lease {
    return this.#parts.lease;
  }

  start(afterwards: (continues: boolean) => Promise<void>): void {
    this.#ended = this.#runThen(afterwards);
    // Callers of `ended` get the rejection; without one it must not count as unhandled.
    this.#ended.catch(() => undefined);
  }

  cancel(reason: string): void {
    this.#halt(new FlowStop({ kind: "cancelled", reason }), "now");
  }

  interrupt(how: "finish" | "now"): void {
    this.#halt(stopped("interrupted", {}), how);
  }

  /** Nothing new may start for this run once it is stopping. */
  throwIfStopping(): void {
    if (this.#stop !== undefined) throw this.#stop;
  }

  #halt(stop: FlowStop, how: "finish" | "now"): void {
    this.#stop ??= stop;
    this.#quit.abort(this.#stop);
    if (how === "now") this.#abort.abort(this.#stop);
  }

  async #runThen(afterwards: (continues: boolean) => Promise<void>): Promise<Ending | undefined> {
    let continues = false;
    try {
      const ended = await this.#run();
      continues = ended === undefined;
      return ended;
    } finally {
      await afterwards(continues);
    }
  }

  async #run(): Promise<Ending | undefined> {
    const { record, clock, observer, store, lease, crash } = this.#parts;
    observer.notice({ kind: "run-started", run: record.run, top: record.top });
    const beat = setInterval(() => {
      void this.#beat();
    }, heartbeatMillis);
    beat.unref();
    try {
      const { ending, cause } = await this.#outcome();
      if (this.#parts.handsBack === true && isInterrupted(ending)) {
        await store.handBack(lease);
        observer.notice({ kind: "run-ended", run: record.run, ending: "left" });
        return undefined;
      }
      crash.reach("run-ending");
      const ended = await store.end(lease, ending, [], clock.now());
      crash.reach("run-ended");
      observer.notice({
        kind: "run-ended",
        run: record.run,
        ending: (ended ?? ending).kind,
        ...defined({ cause }),
      });
      return ended;
    } catch (cause) {
      // Another process has it, or the store cannot be written: it no longer counts as active here.
      observer.notice({ kind: "run-ended", run: record.run, ending: "left", cause });
      throw cause;
    } finally {
      await this.#context.quiet();
      clearInterval(beat);
    }
  }

  /** Files first, ending last: an ended run has all its files. */
  async #outcome(): Promise<Outcome> {
    const outcome = await this.#tried(async () => ({
      kind: "finished",
      result: await this.#parts.flow(this.#context, this.#parts.record.job.input),
    }));
    return this.#tried(async () => {
      await this.#context.flush();
      return outcome.ending;
    }, outcome.cause);
  }

  async #tried(work: () => Promise<Ending>, cause?: unknown): Promise<Outcome> {
    try {
      return { ending: await work(), cause };
    } catch (thrown) {
      if (thrown instanceof LeaseLost || isStoreTrouble(thrown)) throw thrown;
      if (thrown instanceof FlowStop) return { ending: thrown.ending };
      if (this.#stop !== undefined) return { ending: this.#stop.ending, cause: thrown };
      return { ending: { kind: "failed", error: storedError(thrown) }, cause: thrown };
    }
  }

  async #beat(): Promise<void> {
    // While the database is away, one that waits for it is enough.
    if (this.#isBeating) return;
    this.#isBeating = true;
    try {
      const { store, lease, nextTerm, cancelled } = this.#parts;
      const reason = await store.heartbeat(lease, nextTerm());
      if (reason !== undefined) await cancelled(reason);
    } catch (thrown) {
      // A busy store may accept the next heartbeat; if it stays busy, the next write fails.
      if (!(thrown instanceof LeaseLost)) return;
      this.#quit.abort(thrown);
      this.#abort.abort(thrown);
    } finally {
      this.#isBeating = false;
    }
  }
}

function isInterrupted(ending: Ending): boolean {
  return ending.kind === "stopped" && ending.reason === "interrupted";
}

/** The flow has done nothing wrong: the next holder continues it. */
function isStoreTrouble(thrown: unknown): boolean {
  if (!(thrown instanceof WorkflowError)) return false;
  // What is damaged stays so: such a run fails, and says why.
  return thrown.code.startsWith("store-") && thrown.code !== "store-damaged";
}
