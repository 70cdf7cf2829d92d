import type { RunId } from "../../../domain/values/ids.ts";
import { isOver } from "../../../domain/values/is-over.ts";
import type { Json } from "../../../domain/values/json.ts";
import type { Engine, SubmitOptions } from "../../../ports/engine.ts";
import type { Ending, Job } from "../../../ports/flow.ts";
import type { StoredEvent } from "../../../ports/journal.ts";
import type { Answer } from "../../../ports/question.ts";
import type { Reopening } from "../../../ports/run-store.ts";
import { Executions, type ExecutionsOptions, isActive, pollMillis } from "../executions.ts";
import { digestOfJson } from "../run-identity.ts";

export interface EmbeddedEngineOptions extends ExecutionsOptions {
  readonly newRunId: () => RunId;
}

const eventPage = 200;

/** Runs flows in this process, except those that are executed elsewhere. */
export class EmbeddedEngine implements Engine {
  readonly #options: EmbeddedEngineOptions;
  readonly #executions: Executions;

  constructor(options: EmbeddedEngineOptions) {
    this.#options = options;
    this.#executions = new Executions(options);
  }

  async submit(job: Job, how: SubmitOptions = {}): Promise<RunId> {
    const { run = this.#options.newRunId(), unlessUnfinished } = how;
    const record = await this.#executions.create({
      job,
      run,
      ...(unlessUnfinished && { unlessUnfinished }),
    });
    if (!isOver(record)) await this.#executions.wake(record);
    return record.run;
  }

  async findUnfinished(kind: string, input: Json): Promise<RunId | undefined> {
    return (await this.#options.store.findUnfinished(kind, digestOfJson(input)))?.run;
  }

  async resume(run: RunId, how: Reopening): Promise<void> {
    const record = await this.#executions.load(run);
    await this.#executions.reopen(record, how);
    await this.#executions.wake(record);
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
      await this.#executions.wakeUnlessHeld(await this.#executions.load(stored.run));
    }
    return outcome;
  }

  async cancel(run: RunId, reason: string): Promise<void> {
    await this.#options.store.requestCancel(run, reason, this.#options.clock.now());
    await this.#executions.stop(run, reason);
  }

  /** Whether any run is executed by this process. */
  get executesAny(): boolean {
    return this.#executions.executesAny;
  }

  interrupt(how: "finish" | "now"): void {
    this.#executions.interrupt(how);
  }

  async *events(run: RunId, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent> {
    const { store, clock } = this.#options;
    let seq = afterSeq;
    while (!signal.aborted) {
      const record = await this.#executions.load(run);
      const page = await store.events(run, seq, eventPage);
      for (const event of page) {
        seq = event.seq;
        yield event;
      }
      if (page.length > 0) continue;
      if (!isActive(record)) return;
      await clock.sleep(pollMillis, signal).catch(() => undefined);
    }
  }

  ending(run: RunId, signal: AbortSignal): Promise<Ending> {
    return this.#executions.ending(run, signal);
  }

  idle(): Promise<void> {
    return this.#executions.idle();
  }
}
