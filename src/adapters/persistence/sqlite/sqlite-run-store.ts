import type { Digest } from "../../../domain/values/digest.ts";
import type { Key, RunId } from "../../../domain/values/ids.ts";
import type { Instant } from "../../../domain/values/instant.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Budget, Ending, Job } from "../../../ports/flow.ts";
import type {
  AttemptEnd,
  AttemptStart,
  CallFacts,
  Lease,
  Recorded,
  StoredEvent,
} from "../../../ports/journal.ts";
import type { Answer } from "../../../ports/question.ts";
import type { Decision, Holder, NewRun, RunRecord, RunStore } from "../../../ports/run-store.ts";
import type { StoredError } from "../../../ports/runner.ts";
import { closeFailed, closeReplied, startAttempt } from "./attempts.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { Connection } from "./connection.ts";
import { keepAnswer, keepDecision, loadDecision } from "./decisions.ts";
import {
  acquireLease,
  budgetColumns,
  cancelRun,
  checkHeld,
  endRun,
  extendLease,
  forgetEnding,
  markProjected,
  raiseProjected,
  reopenRun,
} from "./leases.ts";
import { findFacts, findRecord, keepEvents, keepRecord, loadEvents, setAside } from "./records.ts";
import { listChildren, loadRun, loadRunOfJob, loadUnfinished } from "./run-rows.ts";
import { placeJson } from "./texts.ts";

/**
 * Runs and their journal in SQLite. Replies, endings, questions and answers are synced to the disk before they
 * resolve; what a power cut may take, because it ends the holder as well (leases, starts, events without a reply),
 * is not.
 */
export class SqliteRunStore implements RunStore {
  readonly #queue: CommitQueue;
  readonly #crash: CrashPoints;

  constructor(queue: CommitQueue, crash: CrashPoints = { reach: () => undefined }) {
    this.#queue = queue;
    this.#crash = crash;
  }

  create(run: NewRun): Promise<RunRecord> {
    return this.#queue.write("durable", (connection) => createRun(connection, run));
  }

  load(run: RunId, job?: Job): Promise<RunRecord | undefined> {
    return this.#queue.read((connection) => loadRun(connection, run, job));
  }

  findUnfinished(kind: string, inputDigest: Digest): Promise<RunRecord | undefined> {
    return this.#queue.read((connection) => loadUnfinished(connection, kind, inputDigest));
  }

  listChildren(run: RunId) {
    return this.#queue.read((connection) => listChildren(connection, run));
  }

  acquire(run: RunId, owner: Holder, mayTake: (holder: Holder) => boolean) {
    return this.#queue.write("quick", (connection) =>
      acquireLease(connection, run, { owner, mayTake }),
    );
  }

  heartbeat(lease: Lease, expires: Instant): Promise<string | undefined> {
    return this.#queue.write("quick", (connection) => extendLease(connection, lease, expires));
  }

  end(lease: Lease, ending: Ending, events: readonly StoredEvent[], at: Instant) {
    return this.#queue.write("durable", (connection) => {
      const ended = endRun(connection, lease, { ending, at });
      keepEvents(connection, lease, events);
      return ended;
    });
  }

  find(run: RunId, key: Key): Promise<Recorded | undefined> {
    return this.#queue.read((connection) => findRecord(connection, run, key));
  }

  facts(run: RunId, key: Key): Promise<CallFacts | undefined> {
    return this.#queue.read((connection) => findFacts(connection, run, key));
  }

  start(lease: Lease, start: AttemptStart, events: readonly StoredEvent[]) {
    return this.#queue.write("quick", (connection) => {
      const payer = checkHeld(connection, lease);
      keepEvents(connection, lease, events);
      if (start.projected !== undefined) raiseProjected(connection, lease.run, start.projected);
      return startAttempt(connection, payer, start);
    });
  }

  fail(lease: Lease, key: Key, end: AttemptEnd, error: StoredError): Promise<void> {
    return this.#queue.write("quick", (connection) => {
      const payer = checkHeld(connection, lease);
      closeFailed(connection, { key, ...payer }, { end, error });
    });
  }

  record(
    lease: Lease,
    entry: Recorded,
    events: readonly StoredEvent[],
    call?: { readonly facts?: CallFacts; readonly end: AttemptEnd },
  ): Promise<void> {
    return this.#queue.write("durable", (connection) => {
      const { run } = lease;
      const payer = checkHeld(connection, lease);
      keepRecord(connection, run, {
        entry,
        ...(call?.facts === undefined ? {} : { facts: call.facts }),
      });
      if (call !== undefined) {
        const { end, facts } = call;
        const paid = { key: entry.key, ...payer };
        closeReplied(connection, paid, { end, role: facts?.role ?? "step" });
      }
      keepEvents(connection, lease, events);
      this.#crash.reach("reply-written-not-committed");
    });
  }

  appendEvents(lease: Lease, events: readonly StoredEvent[], projected?: number): Promise<void> {
    return this.#queue.write("quick", (connection) => {
      checkHeld(connection, lease);
      keepEvents(connection, lease, events);
      if (projected !== undefined) raiseProjected(connection, lease.run, projected);
    });
  }

  events(run: RunId, afterSeq: number, limit: number): Promise<readonly StoredEvent[]> {
    return this.#queue.read((connection) => loadEvents(connection, run, { afterSeq, limit }));
  }

  markProjected(lease: Lease, seq: number): Promise<void> {
    return this.#queue.write("quick", (connection) => markProjected(connection, lease, seq));
  }

  openDecision(lease: Lease, decision: Omit<Decision, "version" | "answer">): Promise<Decision> {
    return this.#queue.write("durable", (connection) => {
      checkHeld(connection, lease);
      return keepDecision(connection, decision);
    });
  }

  findDecision(id: string): Promise<Decision | undefined> {
    return this.#queue.read((connection) => loadDecision(connection, id));
  }

  answer(id: string, answer: Answer, ifVersion: number): Promise<"recorded" | "already-decided"> {
    return this.#queue.write("durable", (connection) =>
      keepAnswer(connection, id, { answer, ifVersion }),
    );
  }

  discard(lease: Lease, keys: readonly Key[]): Promise<void> {
    return this.#queue.write("durable", (connection) => {
      checkHeld(connection, lease);
      for (const key of keys) setAside(connection, lease, key);
      forgetEnding(connection, lease.run);
    });
  }

  reopen(
    run: RunId,
    how: { readonly acceptChanges?: boolean; readonly budget?: Budget },
  ): Promise<void> {
    return this.#queue.write("durable", (connection) => reopenRun(connection, run, how));
  }

  requestCancel(run: RunId, reason: string, at: Instant): Promise<void> {
    return this.#queue.write("durable", (connection) => cancelRun(connection, run, { reason, at }));
  }
}

function createRun(
  connection: Connection,
  { run, job, inputDigest, parent, unlessUnfinished }: NewRun,
): RunRecord {
  const known =
    loadRunOfJob(connection, job.id) ??
    (unlessUnfinished === true ? loadUnfinished(connection, job.kind, inputDigest) : undefined);
  if (known !== undefined) {
    return known;
  }
  const above = parent === undefined ? undefined : rowOfParent(connection, parent);
  const input = placeJson(connection, job.input);
  connection.run(
    "INSERT INTO jobs (id, input, input_text, settings, budget) VALUES (?, ?, ?, ?, ?)",
    job.id,
    input.inline,
    input.text,
    JSON.stringify(job.settings),
    job.budget === undefined ? null : JSON.stringify(job.budget),
  );
  connection.run(
    `INSERT INTO runs (run, job, kind, input_digest, created_at, parent, top, state, epoch,
       projected_seq, accepts_changes, budget_micro_usd, budget_tokens, budget_millis,
       spent_micro_usd, spent_tokens, spent_millis,
       reserved_micro_usd, reserved_tokens, reserved_millis, cancel_reason, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', 0, 0, 0, ?, ?, ?, 0, 0, 0, 0, 0, 0, ?, ?)`,
    run,
    job.id,
    job.kind,
    inputDigest,
    job.createdAt,
    parent ?? null,
    above?.top ?? run,
    ...budgetColumns(job.budget ?? {}),
    above?.cancel_reason ?? null,
    job.createdAt,
  );
  const created = loadRun(connection, run, job);
  if (created === undefined) {
    throw new WorkflowError(`run ${run} was not kept`, { code: "store-damaged" });
  }
  return created;
}

interface ParentRow {
  readonly top: string;
  /** A child that is begun after its parent was asked to stop is to stop as well. */
  readonly cancel_reason: string | null;
}

function rowOfParent(connection: Connection, parent: RunId): ParentRow {
  const row = connection.get<ParentRow>(
    "SELECT top, cancel_reason FROM runs WHERE run = ?",
    parent,
  );
  if (row === undefined) {
    throw new WorkflowError(`there is no run ${parent} to be the parent`, {
      code: "run-unknown",
      facts: { run: parent },
    });
  }
  return row;
}
