import type { RunId } from "../../../domain/values/ids.ts";
import { ConfigurationError, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import type { Journal } from "../../../ports/journal.ts";
import type { NewRun, RunRecord, RunStore } from "../../../ports/run-store.ts";
import { closeAttempt, startAttempt } from "./attempts.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { Connection } from "./connection.ts";
import { keepAnswer, keepDecision, loadDecision } from "./decisions.ts";
import {
  acquireLease,
  budgetColumns,
  cancelWithChildren,
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
 * resolve. Leases, starts and events without a reply are not: a power cut that loses them also ends the holder.
 */
export function createRunStore(queue: CommitQueue, crash?: CrashPoints): RunStore {
  return { ...createJournal(queue, crash), ...createRuns(queue) };
}

function createJournal(queue: CommitQueue, crash?: CrashPoints): Journal {
  return {
    find: (run, key) => queue.read((connection) => findRecord(connection, run, key)),
    facts: (run, key) => queue.read((connection) => findFacts(connection, run, key)),
    start: (lease, start, events) =>
      queue.write("quick", (connection) => {
        const payer = checkHeld(connection, lease);
        keepEvents(connection, lease, events);
        if (start.projected !== undefined) raiseProjected(connection, lease.run, start.projected);
        return startAttempt(connection, payer, start);
      }),
    fail: (lease, key, end, error) =>
      queue.write("quick", (connection) => {
        const payer = checkHeld(connection, lease);
        closeAttempt(connection, { key, ...payer }, { end, error });
      }),
    record: (lease, entry, events, call) =>
      queue.write("durable", (connection) => {
        const payer = checkHeld(connection, lease);
        keepRecord(connection, lease.run, { entry, facts: call?.facts });
        if (call !== undefined) {
          const { end, facts } = call;
          const paid = { key: entry.key, ...payer };
          closeAttempt(connection, paid, { end, role: facts?.role ?? "step" });
        }
        keepEvents(connection, lease, events);
        crash?.reach("reply-written-not-committed");
      }),
  };
}

function createRuns(queue: CommitQueue): Omit<RunStore, keyof Journal> {
  return {
    create: (run) => queue.write("durable", (connection) => createRun(connection, run)),
    load: (run, job) => queue.read((connection) => loadRun(connection, run, job)),
    findUnfinished: (kind, inputDigest) =>
      queue.read((connection) => loadUnfinished(connection, kind, inputDigest)),
    listChildren: (run) => queue.read((connection) => listChildren(connection, run)),
    acquire: (run, owner, mayTake) =>
      queue.write("quick", (connection) => acquireLease(connection, run, { owner, mayTake })),
    heartbeat: (lease, expires) =>
      queue.write("quick", (connection) => extendLease(connection, lease, expires)),
    end: (lease, ending, events, at) =>
      queue.write("durable", (connection) => {
        const ended = endRun(connection, lease, { ending, at });
        keepEvents(connection, lease, events);
        return ended;
      }),
    appendEvents: (lease, events, projected) =>
      queue.write("quick", (connection) => {
        checkHeld(connection, lease);
        keepEvents(connection, lease, events);
        if (projected !== undefined) raiseProjected(connection, lease.run, projected);
      }),
    events: (run, afterSeq, limit) =>
      queue.read((connection) => loadEvents(connection, run, { afterSeq, limit })),
    markProjected: (lease, seq) =>
      queue.write("quick", (connection) => markProjected(connection, lease, seq)),
    openDecision: (lease, decision) =>
      queue.write("durable", (connection) => {
        checkHeld(connection, lease);
        return keepDecision(connection, decision);
      }),
    findDecision: (id) => queue.read((connection) => loadDecision(connection, id)),
    answer: (id, answer, ifVersion) =>
      queue.write("durable", (connection) => keepAnswer(connection, id, { answer, ifVersion })),
    discard: (lease, keys) =>
      queue.write("durable", (connection) => {
        checkHeld(connection, lease);
        for (const key of keys) setAside(connection, lease, key);
        forgetEnding(connection, lease.run);
      }),
    reopen: (run, how) => queue.write("durable", (connection) => reopenRun(connection, run, how)),
    requestCancel: (run, reason, at) =>
      queue.write("durable", (connection) => cancelWithChildren(connection, run, { reason, at })),
  };
}

function createRun(
  connection: Connection,
  { run, job, inputDigest, parent, unlessUnfinished }: NewRun,
): RunRecord {
  if (parent === undefined) refuseUsedId(connection, { run, job, inputDigest });
  const known =
    loadRunOfJob(connection, job.id) ??
    (unlessUnfinished === true ? loadUnfinished(connection, job.kind, inputDigest) : undefined);
  if (known !== undefined) return known;
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

/** An id that a user gave names one job with one input for good. */
function refuseUsedId(
  connection: Connection,
  { run, job, inputDigest }: Pick<NewRun, "run" | "job" | "inputDigest">,
): void {
  const used = connection.get<{ readonly job: string; readonly input_digest: string }>(
    "SELECT job, input_digest FROM runs WHERE run = ?",
    run,
  );
  if (used === undefined || (used.job === job.id && used.input_digest === inputDigest)) return;
  throw new ConfigurationError(`Run ${run} already exists, and its input is different.`, {
    code: "run-exists",
    facts: { run },
    hint: `Look at it with "signoff runs show ${run}", or leave out --run-id.`,
  });
}

interface ParentRow {
  readonly top: string;
  /** Applies to children created after their parent was cancelled, too. */
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
