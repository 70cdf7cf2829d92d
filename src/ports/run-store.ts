import type { Digest } from "../domain/values/digest.ts";
import type { Key, RunId } from "../domain/values/ids.ts";
import type { Instant } from "../domain/values/instant.ts";
import type { Json, JsonObject } from "../domain/values/json.ts";
import type { Budget, Ending, Job } from "./flow.ts";
import type { Journal, Lease, StoredEvent } from "./journal.ts";
import type { Answer, Question } from "./question.ts";

export type RunState =
  | "queued"
  | "running"
  | "waiting"
  | "finished"
  | "stopped"
  | "failed"
  | "cancelled";

/** The process that holds a run. Pids are reused, so its start time belongs to its name. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
}

/** How long a lease lasts. A store that several machines share keeps the length and begins at its own time. */
export interface Term {
  readonly since: Instant;
  readonly expires: Instant;
}

export interface Holder extends Owner, Term {}

export interface RunRecord {
  readonly run: RunId;
  readonly job: Job;
  readonly inputDigest: Digest;
  readonly state: RunState;
  readonly epoch: number;
  readonly parent?: RunId;
  /** The run whose budget pays: itself, or the outermost parent. */
  readonly top: RunId;
  /** What workers know the run by; absent for a run that the process with the project's folder executes. */
  readonly task?: string;
  readonly holder?: Holder;
  /** Set once the run has ended at least once; replaced by each later ending. */
  readonly ending?: Ending;
  readonly cancelReason?: string;
  /** Number of the last event that all projectors have seen. */
  readonly projectedSeq: number;
  readonly acceptsChanges: boolean;
  /** The job's, with those given when the run was resumed in their place. */
  readonly settings: Json;
  readonly budget: Budget;
  readonly updatedAt: Instant;
}

export interface NewRun extends Pick<RunRecord, "run" | "job" | "inputDigest" | "parent" | "task"> {
  /** Return an unfinished run of this kind and input instead, if there is one: two concurrent calls make one run. */
  readonly unlessUnfinished?: boolean;
}

export interface Decision {
  readonly id: string;
  readonly run: RunId;
  readonly key: string;
  readonly question: Question;
  readonly answer?: Answer;
  /** Raised by each answer; an answer names the version it was made for. */
  readonly version: number;
  readonly askedAt: Instant;
}

/** How a run is resumed. Settings and limits that are not given stay as they are. */
export interface Reopening {
  readonly acceptChanges?: boolean;
  /** Moves a run that other processes execute to those that know this task; see `RunRecord.task`. */
  readonly task?: string;
  readonly budget?: Budget;
  readonly settings?: JsonObject;
}

/** What the embedded engine needs in addition to the journal: runs, leases, events, questions. */
export interface RunStore extends Journal {
  /** Creates the run, or returns the one that this job id already has. */
  create(run: NewRun): Promise<RunRecord>;
  /** A job never changes, so a known one is not read again. */
  load(run: RunId, known?: Job): Promise<RunRecord | undefined>;
  /** The newest run of this kind and input that has not finished and was not cancelled. */
  findUnfinished(kind: string, inputDigest: Digest): Promise<RunRecord | undefined>;
  /** In the order they were started. A sweep may have thousands, so their inputs are not loaded. */
  listChildren(run: RunId): Promise<readonly Pick<RunRecord, "run" | "state">[]>;
  /**
   * Takes the lease by raising the epoch, if there is no holder or `mayTake` allows it at the store's time. Attempts that an earlier holder left open are marked lost; their reservations count
   * as spent, because they may have been billed.
   */
  acquire(
    run: RunId,
    owner: Holder,
    mayTake: (holder: Holder, now: Instant) => boolean,
  ): Promise<
    | { readonly kind: "taken"; readonly lease: Lease }
    | { readonly kind: "held"; readonly holder: Holder }
  >;
  /** Returns the reason if cancelling was requested meanwhile. */
  heartbeat(lease: Lease, term: Term): Promise<string | undefined>;
  /**
   * Durable. Writes the ending and the last events and releases the lease. Returns the stored ending: `cancelled` if that
   * was requested and the run has not finished. Returns undefined and queues the run again if what it would wait for has
   * happened meanwhile: no question of the ending is open and no child is unfinished.
   */
  end(
    lease: Lease,
    ending: Ending,
    events: readonly StoredEvent[],
    at: Instant,
  ): Promise<Ending | undefined>;
  /** Durable. Releases the lease of a run that has not ended and queues it again, for any process to take. */
  handBack(lease: Lease): Promise<void>;
  /** Stores events that no call carries. */
  appendEvents(
    lease: Lease,
    events: readonly StoredEvent[],
    /** The last event that all projectors have seen by now, stored with these to save a commit. */
    projected?: number,
  ): Promise<void>;
  events(run: RunId, afterSeq: number, limit: number): Promise<readonly StoredEvent[]>;
  markProjected(lease: Lease, seq: number): Promise<void>;
  /** Stores the question once; a repeated call returns the stored one, answered or not. */
  openDecision(lease: Lease, decision: Omit<Decision, "version" | "answer">): Promise<Decision>;
  findDecision(id: string): Promise<Decision | undefined>;
  answer(id: string, answer: Answer, ifVersion: number): Promise<"recorded" | "already-decided">;
  /**
   * Sets recorded values aside, so that they are asked for again: a flow failed on them and names them in its
   * error's `unusable` fact. They stay readable under another key, and stay paid. The ending that named them is
   * forgotten with it, so that it never names what is recorded in their place.
   */
  discard(lease: Lease, keys: readonly Key[]): Promise<void>;
  /** Prepares the next execution of an ended run. */
  reopen(run: RunId, how: Reopening): Promise<void>;
  /** Asks the holder to stop; a run without a holder is cancelled at once. So are its children, also later ones. */
  requestCancel(run: RunId, reason: string, at: Instant): Promise<void>;
}

/** One line of the cost ledger. */
export interface LedgerLine {
  readonly run: RunId;
  readonly key: string;
  readonly attempt: number;
  readonly role?: string;
  readonly model: string;
  readonly state: "started" | "replied" | "failed" | "lost";
  readonly startedAt: Instant;
  readonly seconds?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly microUsd?: number;
  readonly error?: Json;
}
