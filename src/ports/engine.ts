import type { RunId } from "../domain/values/ids.ts";
import type { Json } from "../domain/values/json.ts";
import type { Ending, Job } from "./flow.ts";
import type { StoredEvent } from "./journal.ts";
import type { Answer } from "./question.ts";
import type { Reopening } from "./run-store.ts";

export interface SubmitOptions {
  /** Names a new run. */
  readonly run?: RunId;
  /** Resume an unfinished run of the same kind and input if one exists by now. */
  readonly unlessUnfinished?: boolean;
}

/** Runs jobs so that no recorded reply is ever asked for again. */
export interface Engine {
  /** Creates the job's run if it is absent and wakes it if it has not ended. */
  submit(job: Job, how?: SubmitOptions): Promise<RunId>;
  /** The newest resumable run of this kind and input: the one that repeating a command continues. */
  findUnfinished(kind: string, input: Json): Promise<RunId | undefined>;
  /** Starts the next execution of an ended or interrupted run; it knows all recorded replies. */
  resume(run: RunId, how: Reopening): Promise<void>;
  /** Stores the answer once and wakes the run that waits for it. */
  answer(
    decision: string,
    answer: Answer,
    ifVersion: number,
  ): Promise<"recorded" | "already-decided">;
  cancel(run: RunId, reason: string): Promise<void>;
  /** Stored events after `afterSeq`, then live ones, until the run ends or the signal aborts. */
  events(run: RunId, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent>;
  ending(run: RunId, signal: AbortSignal): Promise<Ending>;
}
