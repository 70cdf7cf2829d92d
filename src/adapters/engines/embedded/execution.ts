import { defined } from "../../../domain/values/defined.ts";
import type { Instant } from "../../../domain/values/instant.ts";
import { LeaseLost } from "../../../domain/values/workflow-error.ts";
import type { Ending, Flow } from "../../../ports/flow.ts";
import type { Lease } from "../../../ports/journal.ts";
import { FlowStop, stopped } from "../flow-stop.ts";
import { storedError } from "../stored-error.ts";
import { type ContextParts, EmbeddedFlowContext } from "./embedded-flow-context.ts";

export interface ExecutionParts extends Omit<ContextParts, "signal" | "waitSignal" | "stopping"> {
  readonly flow: Flow;
  readonly leaseUntil: () => Instant;
  /** Somebody asked, in another process, that the run be cancelled. */
  readonly cancelled: (reason: string) => Promise<void>;
}

interface Outcome {
  readonly ending: Ending;
  readonly cause?: unknown;
}

const heartbeatMillis = 5_000;

/** One process working on one run, from the lease taken to the lease given back. */
export class Execution {
  readonly #parts: ExecutionParts;
  readonly #abort = new AbortController();
  readonly #quit = new AbortController();
  readonly #context: EmbeddedFlowContext;
  #stop: FlowStop | undefined;
  #ended: Promise<Ending | undefined> | undefined;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#context = new EmbeddedFlowContext({
      signal: this.#abort.signal,
      waitSignal: this.#quit.signal,
      stopping: () => this.#stop,
      ...parts,
    });
  }

  /**
   * Nothing, if the run goes on at once, because what it would wait for has happened. Rejects only when this process
   * must not say how the run ended (lease lost, store broken).
   */
  get ended(): Promise<Ending | undefined> {
    if (this.#ended === undefined) throw new Error("the execution was not started");
    return this.#ended;
  }

  get lease(): Lease {
    return this.#parts.lease;
  }

  start(afterwards: (goesOn: boolean) => Promise<void>): void {
    this.#ended = this.#runThen(afterwards);
    // Whoever asks for the ending gets the rejection; nobody asking is not an unhandled one.
    this.#ended.catch(() => undefined);
  }

  cancel(reason: string): void {
    this.#halt(new FlowStop({ kind: "cancelled", reason }), "now");
  }

  interrupt(how: "finish" | "now"): void {
    this.#halt(stopped("interrupted", {}), how);
  }

  /** Nothing new may begin in its name once it stops. */
  throwIfStopping(): void {
    if (this.#stop !== undefined) throw this.#stop;
  }

  #halt(stop: FlowStop, how: "finish" | "now"): void {
    this.#stop ??= stop;
    this.#quit.abort(this.#stop);
    if (how === "now") this.#abort.abort(this.#stop);
  }

  async #runThen(afterwards: (goesOn: boolean) => Promise<void>): Promise<Ending | undefined> {
    let goesOn = false;
    try {
      const ended = await this.#run();
      goesOn = ended === undefined;
      return ended;
    } finally {
      await afterwards(goesOn);
    }
  }

  async #run(): Promise<Ending | undefined> {
    const { record, clock, observer, store, lease, crash } = this.#parts;
    observer.notice({ kind: "run-started", run: record.run });
    const beat = setInterval(() => {
      void this.#beat();
    }, heartbeatMillis);
    beat.unref();
    try {
      const { ending, cause } = await this.#outcome();
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
      // It is in other hands, or cannot be written: whoever counts what works here must not wait for it.
      observer.notice({ kind: "run-ended", run: record.run, ending: "left", cause });
      throw cause;
    } finally {
      await this.#context.quiet();
      clearInterval(beat);
    }
  }

  /** Files first, ending last: a run that counts as ended has all its files. */
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
      if (thrown instanceof LeaseLost) throw thrown;
      if (thrown instanceof FlowStop) return { ending: thrown.ending };
      if (this.#stop !== undefined) return { ending: this.#stop.ending, cause: thrown };
      return { ending: { kind: "failed", error: storedError(thrown) }, cause: thrown };
    }
  }

  async #beat(): Promise<void> {
    try {
      const cancelled = await this.#parts.store.heartbeat(
        this.#parts.lease,
        this.#parts.leaseUntil(),
      );
      if (cancelled !== undefined) await this.#parts.cancelled(cancelled);
    } catch (thrown) {
      // A store that is busy now may answer the next beat; one that stays so fails the next write.
      if (!(thrown instanceof LeaseLost)) return;
      this.#quit.abort(thrown);
      this.#abort.abort(thrown);
    }
  }
}
