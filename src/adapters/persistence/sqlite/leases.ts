import type { RunId } from "../../../domain/values/ids.ts";
import type { Instant } from "../../../domain/values/instant.ts";
import { isOver } from "../../../domain/values/is-over.ts";
import type { Json } from "../../../domain/values/json.ts";
import { LeaseLost, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Budget, Ending } from "../../../ports/flow.ts";
import type { Lease } from "../../../ports/journal.ts";
import type { Holder, Reopening, RunState, RunStore } from "../../../ports/run-store.ts";
import { millisOfSeconds } from "./amounts.ts";
import { accountFromLedger, loseOpenAttempts, type Payer } from "./attempts.ts";
import type { Connection } from "./connection.ts";
import { loadDecision } from "./decisions.ts";
import { type HolderRow, holderOf } from "./run-rows.ts";
import { placeJson } from "./texts.ts";

interface LeaseRow extends HolderRow {
  readonly state: RunState;
  readonly epoch: number;
  readonly top: string;
  readonly cancel_reason: string | null;
}

const freeLease = `holder_host = NULL, holder_pid = NULL, holder_process_start = NULL,
  holder_since = NULL, holder_expires = NULL`;

interface CheckedRow extends Pick<LeaseRow, "epoch" | "holder_host" | "top"> {
  readonly is_bounded: 0 | 1;
}

/** Refuses a lease that is no longer current; returns who pays for the run. */
export function checkHeld(connection: Connection, lease: Lease): Payer {
  const row = connection.get<CheckedRow>(
    `SELECT r.epoch, r.holder_host, r.top,
       COALESCE(t.budget_micro_usd, t.budget_tokens, t.budget_millis) IS NOT NULL AS is_bounded
     FROM runs r JOIN runs t ON t.run = r.top WHERE r.run = ?`,
    lease.run,
  );
  if (row === undefined || row.epoch !== lease.epoch || row.holder_host === null) {
    throw leaseLost(lease, row?.epoch);
  }
  return { run: lease.run, top: row.top, isBounded: row.is_bounded === 1 };
}

export function acquireLease(
  connection: Connection,
  run: RunId,
  { owner, mayTake }: { readonly owner: Holder; readonly mayTake: (holder: Holder) => boolean },
): Awaited<ReturnType<RunStore["acquire"]>> {
  const row = loadLease(connection, run);
  refuseIfOver(run, row.state);
  const holder = holderOf(row);
  if (holder !== undefined && !mayTake(holder)) return { kind: "held", holder };
  const epoch = row.epoch + 1;
  connection.run(
    `UPDATE runs SET epoch = ?, state = 'running', holder_host = ?, holder_pid = ?,
       holder_process_start = ?, holder_since = ?, holder_expires = ?, updated_at = ?
     WHERE run = ?`,
    epoch,
    owner.host,
    owner.pid,
    owner.processStart,
    owner.since,
    owner.expires,
    owner.since,
    run,
  );
  loseOpenAttempts(connection, run, row.top);
  return { kind: "taken", lease: { run, epoch } };
}

export function extendLease(
  connection: Connection,
  lease: Lease,
  expires: Instant,
): string | undefined {
  checkHeld(connection, lease);
  connection.run("UPDATE runs SET holder_expires = ? WHERE run = ?", expires, lease.run);
  return loadLease(connection, lease.run).cancel_reason ?? undefined;
}

/**
 * Calls still open can no longer be recorded, so they are settled as lost. A cancel request that arrived since the
 * last heartbeat is honoured here, in the transaction that releases the lease: afterwards it would be missed.
 */
export function endRun(
  connection: Connection,
  lease: Lease,
  { ending: wanted, at }: { readonly ending: Ending; readonly at: Instant },
): Ending | undefined {
  const { run } = lease;
  const { top } = checkHeld(connection, lease);
  loseOpenAttempts(connection, run, top);
  const { cancel_reason: reason } = loadLease(connection, run);
  const ending: Ending =
    reason === null || wanted.kind === "finished" ? wanted : { kind: "cancelled", reason };
  writeEnding(connection, run, { ending, at });
  if (ending.kind !== "waiting" || isAwaited(connection, run, ending.decisions)) return ending;
  connection.run("UPDATE runs SET state = 'queued' WHERE run = ?", run);
  return undefined;
}

/** Whether an answer or the end of a child can still wake the run. */
function isAwaited(connection: Connection, run: RunId, decisions: readonly string[]): boolean {
  const isOpen = (id: string): boolean => {
    const decision = loadDecision(connection, id);
    return decision !== undefined && decision.answer === undefined;
  };
  const child = connection.get(
    "SELECT 1 FROM runs WHERE parent = ? AND state IN ('queued', 'running', 'waiting') LIMIT 1",
    run,
  );
  return child !== undefined || decisions.some(isOpen);
}

/** A released lease may still mark events as projected, because the last ones are stored with the ending. */
export function markProjected(connection: Connection, lease: Lease, seq: number): void {
  const { epoch } = loadLease(connection, lease.run);
  if (epoch !== lease.epoch) throw leaseLost(lease, epoch);
  raiseProjected(connection, lease.run, seq);
}

export function raiseProjected(connection: Connection, run: RunId, seq: number): void {
  connection.run(
    "UPDATE runs SET projected_seq = ? WHERE run = ? AND projected_seq < ?",
    seq,
    run,
    seq,
  );
}

/** Includes all children: none may keep working for a run that is over. */
export function cancelWithChildren(
  connection: Connection,
  run: RunId,
  how: { readonly reason: string; readonly at: Instant },
): void {
  cancelOne(connection, run, how);
  const children = "SELECT run FROM runs WHERE parent = ?";
  for (const child of connection.all<{ run: RunId }>(children, run)) {
    cancelWithChildren(connection, child.run, how);
  }
}

/**
 * An expired lease counts as free: the run is cancelled and the epoch raised, so the holder can write nothing if it
 * wakes up.
 */
function cancelOne(
  connection: Connection,
  run: RunId,
  { reason, at }: { readonly reason: string; readonly at: Instant },
): void {
  const row = loadLease(connection, run);
  if (isOver(row)) return;
  connection.run(
    "UPDATE runs SET cancel_reason = ? WHERE run = ? AND cancel_reason IS NULL",
    reason,
    run,
  );
  const holder = holderOf(row);
  if (holder !== undefined && holder.expires > at) return;
  connection.run("UPDATE runs SET epoch = epoch + 1 WHERE run = ?", run);
  loseOpenAttempts(connection, run, row.top);
  writeEnding(connection, run, {
    ending: { kind: "cancelled", reason: row.cancel_reason ?? reason },
    at,
  });
}

/**
 * An interrupted run keeps its holder, which may still be alive. It also keeps its acceptance of changes, because
 * the execution that had it did not end.
 */
export function reopenRun(
  connection: Connection,
  run: RunId,
  { acceptChanges, budget, settings = {} }: Reopening,
): void {
  const row = loadLease(connection, run);
  refuseIfOver(run, row.state);
  const accepts = acceptChanges === true ? 1 : 0;
  if (row.state === "running" || row.state === "queued") {
    connection.run(
      "UPDATE runs SET accepts_changes = 1 WHERE run = ? AND accepts_changes < ?",
      run,
      accepts,
    );
  } else {
    connection.run(
      "UPDATE runs SET state = 'queued', accepts_changes = ?, cancel_reason = NULL WHERE run = ?",
      accepts,
      run,
    );
  }
  if (budget !== undefined) {
    raiseBudget(connection, row.top, budget);
  }
  if (Object.keys(settings).length > 0) {
    const before = connection.get<{ settings: string | null }>(
      "SELECT settings FROM runs WHERE run = ?",
      run,
    );
    const merged = { ...JSON.parse(before?.settings ?? "{}"), ...settings };
    connection.run("UPDATE runs SET settings = ? WHERE run = ?", JSON.stringify(merged), run);
  }
}

/**
 * Limits that are not given stay unchanged. The top run pays, so its budget is the one that changes. If this is its
 * first limit, its counters were not kept until now.
 */
function raiseBudget(connection: Connection, top: string, budget: Budget): void {
  const sums = accountFromLedger(connection, top);
  connection.run(
    `UPDATE runs SET budget_micro_usd = COALESCE(?, budget_micro_usd),
       budget_tokens = COALESCE(?, budget_tokens), budget_millis = COALESCE(?, budget_millis),
       spent_micro_usd = ?, spent_tokens = ?, spent_millis = ?,
       reserved_micro_usd = ?, reserved_tokens = ?, reserved_millis = ?
     WHERE run = ?`,
    ...budgetColumns(budget),
    sums.spent_micro_usd,
    sums.spent_tokens,
    sums.spent_millis,
    sums.reserved_micro_usd,
    sums.reserved_tokens,
    sums.reserved_millis,
    top,
  );
}

/** Limits are rounded down, reservations up. */
export function budgetColumns(budget: Budget): readonly (number | null)[] {
  return [
    budget.microUsd === undefined ? null : Math.floor(budget.microUsd),
    budget.tokens === undefined ? null : Math.floor(budget.tokens),
    budget.seconds === undefined ? null : millisOfSeconds(budget.seconds),
  ];
}

/** An ending that named unusable replies must not name the replies recorded in their place. */
export function forgetEnding(connection: Connection, run: RunId): void {
  connection.run("UPDATE runs SET ending = NULL, ending_text = NULL WHERE run = ?", run);
}

function writeEnding(
  connection: Connection,
  run: RunId,
  { ending, at }: { readonly ending: Ending; readonly at: Instant },
): void {
  const placed = placeJson(connection, ending as unknown as Json);
  connection.run(
    `UPDATE runs SET state = ?, ending = ?, ending_text = ?, updated_at = ?, ${freeLease}
     WHERE run = ?`,
    ending.kind,
    placed.inline,
    placed.text,
    at,
    run,
  );
}

function loadLease(connection: Connection, run: RunId): LeaseRow {
  const row = connection.get<LeaseRow>(
    `SELECT state, epoch, top, cancel_reason, holder_host, holder_pid, holder_process_start,
       holder_since, holder_expires
     FROM runs WHERE run = ?`,
    run,
  );
  if (row === undefined) {
    throw new WorkflowError(`there is no run ${run}`, {
      code: "run-unknown",
      facts: { run },
      hint: "`signoff runs list` shows the runs of this project.",
    });
  }
  return row;
}

function refuseIfOver(run: RunId, state: RunState): void {
  if (isOver({ state })) {
    throw new WorkflowError(`Run ${run} is ${state}; there is nothing to resume.`, {
      code: "run-over",
      facts: { run, state },
    });
  }
}

function leaseLost(lease: Lease, epoch: number | undefined): LeaseLost {
  return new LeaseLost(`run ${lease.run} is no longer held by this process`, {
    code: "lease-lost",
    facts: { run: lease.run, epoch: lease.epoch, stored_epoch: epoch ?? null },
    hint: "Nothing was written; another process has taken over the run, or it has ended.",
  });
}
