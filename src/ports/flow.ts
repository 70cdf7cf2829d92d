import type { CrashPoint } from "../domain/values/crash-points.ts";
import type { Key, RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { Json } from "../domain/values/json.ts";
import type { Answer, Question } from "./question.ts";
import type { AskRequest, Reply, StoredError } from "./runner.ts";

/**
 * Plain JSON, frozen at creation: a flow has no other input. Submitting the same id again is the same job.
 */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly input: Json;
  /** Settings that belong to the run and not to the question, such as retries and time-outs. */
  readonly settings: Json;
  readonly budget?: Budget;
  readonly createdAt: Instant;
}

/** Upper bounds; an absent member is no bound. Seconds count time spent in calls, not wall clock. */
export interface Budget {
  readonly microUsd?: number;
  readonly tokens?: number;
  readonly seconds?: number;
}

/** Where a run can be executed: by any worker, or only by a process that has the project's folder. */
export type Place = "anywhere" | "home";

/** Sequential, replayable, and pure but for its context. */
export type Flow = (ctx: FlowContext, input: Json) => Promise<Json>;

/**
 * All a flow may touch. Flows are sequential programs: no `Promise.all`, `race` or `then` over these members,
 * no clock, no chance, no files, no store. On resume the flow runs again from its start and gets recorded
 * values until it reaches what has not happened yet, so everything it does must follow from its input and
 * from what these members return.
 */
export interface FlowContext {
  readonly run: RunId;
  readonly job: Job;
  /** Throws `AskFailed` when all attempts are used up; a failure is not recorded, so a resume asks again. */
  ask(key: Key, request: AskRequest): Promise<Reply>;
  /** The one fan-out inside a flow. Same order as given; all settle before it returns. */
  askAll(asks: readonly Ask[]): Promise<readonly AskEnding[]>;
  /**
   * Any other recorded effect (assistant, coder, git). At least once: after a crash the effect may run again,
   * so it must be safe to repeat or detect itself. `facts` are digested like a request.
   */
  step<T extends Json>(
    key: Key,
    facts: Json,
    effect: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Own runs, bounded lists only. Returns when none is queued, running or waiting. */
  children(jobs: readonly Job[]): Promise<readonly Ending[]>;
  /**
   * Own runs from a stream of any length: at most `window` are under way, and the stream is read no further than that
   * needs. Endings come in the order of the stream. A child that does not finish holds the next ones back until the
   * flow has taken its ending; leaving the loop begins nothing new and waits for what is under way. A child that needs
   * an answer, or finds this run's budget used up, ends this run for the same reason.
   *
   * The ids must follow from the run's input: a resume takes the stream from its start, and a child that exists is
   * neither loaded nor run again.
   */
  childrenOf(
    jobs: Iterable<Job | LateJob> | AsyncIterable<Job | LateJob>,
    window: number,
  ): AsyncIterable<ChildEnding>;
  /** Ends the run as `waiting` until the question is answered. Flows must not catch what it throws. */
  waitForDecision(key: Key, question: Question): Promise<Answer>;
  /** Numbered; the only way results reach files, rows and screens. */
  emit(event: FlowEvent): void;
  /** UUIDv5 of run and name: the same on every replay and every engine. */
  newId(name: string): string;
  /** 80 bits of SHA-256 over run and name, as hexadecimal text. */
  nonce(name: string): string;
  /** Crash seam for tests, otherwise nothing. */
  checkpoint(name: CrashPoint): void;
}

/** A child whose input is read when its run is created, and frozen then: a stream of them holds no texts. */
export interface LateJob extends Omit<Job, "input"> {
  /**
   * Like the effect of a step: runs at least once. Returns undefined if there is nothing left to do; that is recorded, and
   * the child is skipped from then on. The signal is aborted when the parent stops.
   */
  readonly load: (run: RunId, signal: AbortSignal) => Promise<Json | undefined>;
}

export interface ChildEnding {
  readonly id: string;
  readonly run: RunId;
  /** Absent for a skipped child. */
  readonly ending?: Ending;
}

export interface Ask {
  readonly key: Key;
  readonly request: AskRequest;
  /**
   * The flow continues without this reply if the call fails. The failure is then recorded like a reply, so that a replay
   * takes the same path; otherwise a failure is never recorded.
   */
  readonly mayFail?: boolean;
}

export type AskEnding =
  | { readonly kind: "replied"; readonly reply: Reply }
  | {
      readonly kind: "failed";
      readonly error: StoredError;
      /** What was thrown, for the error of a flow that fails with it; absent on a replay, so nothing may depend on it. */
      readonly cause?: unknown;
    };

export interface FlowEvent {
  readonly kind: string;
  readonly data: Json;
}

/** How an execution of a run ended. All but `finished` and `cancelled` can be resumed. */
export type Ending =
  | { readonly kind: "finished"; readonly result: Json }
  | { readonly kind: "waiting"; readonly decisions: readonly string[] }
  | { readonly kind: "stopped"; readonly reason: RunStopReason; readonly facts: Json }
  | { readonly kind: "failed"; readonly error: StoredError }
  | { readonly kind: "cancelled"; readonly reason: string };

export type RunStopReason = "budget" | "interrupted" | "definition-changed";
