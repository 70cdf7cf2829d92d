import type { RunId } from "../../../domain/values/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/values/instant.ts";
import { isOver } from "../../../domain/values/is-over.ts";
import type { Json } from "../../../domain/values/json.ts";
import { LeaseLost, WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { Budget, Ending } from "../../../ports/flow.ts";
import type { Lease } from "../../../ports/journal.ts";
import type { Holder, Reopening, RunState, RunStore, Term } from "../../../ports/run-store.ts";
import { budgetColumns } from "./amounts.ts";
import { accountFromLedger, loseOpenAttempts, type Payer } from "./attempts.ts";
import { loadDecision } from "./decisions.ts";
import { type HolderRow, holderOf } from "./run-rows.ts";
import { keepLong, placeJson } from "./texts.ts";
import { change, get, getLocked, storeTime, together, type Unit } from "./unit.ts";

interface LeaseRow extends HolderRow {
  readonly state: RunState;
  readonly epoch: number;
  readonly top: string;
  readonly cancel_reason: string | null;
  readonly holder_token: string | null;
}

/** The token stays: with it the last holder may still mark what it has projected. */
const freeLease = `holder_host = NULL, holder_pid = NULL, holder_process_start = NULL,
  holder_since = NULL, holder_expires = NULL`;

interface CheckedRow extends Pick<LeaseRow, "epoch" | "holder_host" | "holder_token" | "top"> {
  readonly is_bounded: 0 | 1;
}

/** Refuses a lease that is no longer current; returns who pays for the run. Nobody takes it before the commit. */
export function* checkHeld(lease: Lease): Unit<Payer> {
  const row = yield* getLocked<CheckedRow>(
    "r",
    `SELECT r.epoch, r.holder_host, r.holder_token, r.top,
       CASE WHEN COALESCE(t.budget_micro_usd, t.budget_tokens, t.budget_millis) IS NULL
         THEN 0 ELSE 1 END AS is_bounded
     FROM runs r JOIN runs t ON t.run = r.top WHERE r.run = ?`,
    lease.run,
  );
  const isHeld = row?.epoch === lease.epoch && row.holder_token === lease.token;
  if (!isHeld || row.holder_host === null) throw leaseLost(lease, row?.epoch);
  return { run: lease.run, top: row.top, isBounded: row.is_bounded === 1 };
}

export function* acquireLease(
  run: RunId,
  how: {
    readonly owner: Holder;
    readonly mayTake: (holder: Holder, now: Instant) => boolean;
    readonly token: string;
  },
): Unit<Awaited<ReturnType<RunStore["acquire"]>>> {
  const { owner, mayTake, token } = how;
  const [row, now] = yield* together(loadLease(run), storeTime(owner.since));
  refuseIfOver(run, row.state);
  const holder = holderOf(row);
  if (holder !== undefined && !mayTake(holder, now)) return { kind: "held", holder };
  const epoch = row.epoch + 1;
  yield* together(
    change(
      `UPDATE runs SET epoch = ?, state = 'running', holder_host = ?, holder_pid = ?,
         holder_process_start = ?, holder_token = ?, holder_since = ?, holder_expires = ?,
         updated_at = ?
       WHERE run = ?`,
      epoch,
      owner.host,
      owner.pid,
      owner.processStart,
      token,
      now,
      laterBy(now, owner),
      now,
      run,
    ),
    loseOpenAttempts(run, row.top),
  );
  return { kind: "taken", lease: { run, epoch, token } };
}

/** The end of a term that begins now. */
function laterBy(now: Instant, { since, expires }: Term): Instant {
  return now === since
    ? expires
    : instantFromMillis(millisOf(now) + millisOf(expires) - millisOf(since));
}

/** Returns the reason if the run is to be cancelled. */
export function* extendLease(lease: Lease, term: Term): Unit<string | undefined> {
  const [, now] = yield* together(checkHeld(lease), storeTime(term.since));
  const row = yield* get<{ readonly cancel_reason: string | null }>(
    "UPDATE runs SET holder_expires = ? WHERE run = ? RETURNING cancel_reason",
    laterBy(now, term),
    lease.run,
  );
  return row?.cancel_reason ?? undefined;
}

/**
 * Calls still open can no longer be recorded, so they are settled as lost. A cancel request that arrived since the
 * last heartbeat is honoured here, in the transaction that releases the lease: afterwards it would be missed.
 */
export function* endRun(
  lease: Lease,
  { ending: wanted, at }: { readonly ending: Ending; readonly at: Instant },
): Unit<Ending | undefined> {
  const { run } = lease;
  const { top } = yield* checkHeld(lease);
  const [{ cancel_reason: reason }] = yield* together(loadLease(run), loseOpenAttempts(run, top));
  const ending: Ending =
    reason === null || wanted.kind === "finished" ? wanted : { kind: "cancelled", reason };
  yield* writeEnding(run, { ending, at });
  if (ending.kind !== "waiting" || (yield* isAwaited(run, ending.decisions))) return ending;
  yield* queueAgain(run);
  return undefined;
}

/** Gives the run up unfinished. Calls still open can no longer be recorded, so they are settled as lost. */
export function* handBackRun(lease: Lease): Unit<void> {
  const { run } = lease;
  const { top } = yield* checkHeld(lease);
  yield* together(
    change(`UPDATE runs SET state = 'queued', ${freeLease} WHERE run = ?`, run),
    loseOpenAttempts(run, top),
  );
}

/** Queues a run again whose ending waits for nothing any more; true if it did. */
export function* queueIfAnswered(
  { run, epoch }: Lease,
  decisions: readonly string[],
): Unit<boolean> {
  const row = yield* loadLease(run);
  if (row.state !== "waiting" || row.epoch !== epoch) return false;
  if (yield* isAwaited(run, decisions)) return false;
  yield* queueAgain(run);
  return true;
}

function* queueAgain(run: RunId): Unit<void> {
  yield* change("UPDATE runs SET state = 'queued' WHERE run = ?", run);
}

/** Whether an answer or the end of a child can still wake the run. */
function* isAwaited(run: RunId, decisions: readonly string[]): Unit<boolean> {
  const child = yield* get(
    `SELECT 1 AS found FROM runs
     WHERE parent = ? AND state IN ('queued', 'running', 'waiting') LIMIT 1`,
    run,
  );
  if (child !== undefined) return true;
  for (const id of decisions) {
    const decision = yield* loadDecision(id);
    if (decision !== undefined && decision.answer === undefined) return true;
  }
  return false;
}

/** A released lease may still mark events as projected, because the last ones are stored with the ending. */
export function* markProjected(lease: Lease, seq: number): Unit<void> {
  const { epoch, holder_token: token } = yield* loadLease(lease.run);
  if (epoch !== lease.epoch || token !== lease.token) throw leaseLost(lease, epoch);
  yield* raiseProjected(lease.run, seq);
}

export function* raiseProjected(run: RunId, seq: number | undefined): Unit<void> {
  if (seq === undefined) return;
  yield* change(
    "UPDATE runs SET projected_seq = ? WHERE run = ? AND projected_seq < ?",
    seq,
    run,
    seq,
  );
}

/**
 * An interrupted run keeps its holder, which may still be alive. It also keeps its acceptance of changes, because
 * the execution that had it did not end.
 */
export function* reopenRun(
  run: RunId,
  { acceptChanges, task, budget, settings = {} }: Reopening,
): Unit<void> {
  const row = yield* loadLease(run);
  refuseIfOver(run, row.state);
  const accepts = acceptChanges === true ? 1 : 0;
  if (row.state === "running" || row.state === "queued") {
    yield* change(
      "UPDATE runs SET accepts_changes = 1 WHERE run = ? AND accepts_changes < ?",
      run,
      accepts,
    );
  } else {
    yield* change(
      "UPDATE runs SET state = 'queued', accepts_changes = ?, cancel_reason = NULL WHERE run = ?",
      accepts,
      run,
    );
  }
  if (task !== undefined) {
    // The state is named so that the shared database's trigger queues the run again.
    yield* change(
      "UPDATE runs SET task = ?, state = state WHERE run = ? AND task <> ?",
      task,
      run,
      task,
    );
  }
  if (budget !== undefined) {
    yield* raiseBudget(row.top, budget);
  }
  if (Object.keys(settings).length > 0) {
    const before = yield* get<{ settings: string | null }>(
      "SELECT settings FROM runs WHERE run = ?",
      run,
    );
    const merged = { ...JSON.parse(before?.settings ?? "{}"), ...settings };
    yield* change("UPDATE runs SET settings = ? WHERE run = ?", JSON.stringify(merged), run);
  }
}

/**
 * Limits that are not given stay unchanged. The top run pays, so its budget is the one that changes. If this is its
 * first limit, its counters were not kept until now.
 */
function* raiseBudget(top: string, budget: Budget): Unit<void> {
  yield* getLocked("r", "SELECT r.run FROM runs r WHERE r.run = ?", top);
  const sums = yield* accountFromLedger(top);
  yield* change(
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

/** An ending that named unusable replies must not name the replies recorded in their place. */
export function* forgetEnding(run: RunId): Unit<void> {
  yield* change(
    "UPDATE runs SET ending = NULL, ending_text = NULL, listed_at = NULL WHERE run = ?",
    run,
  );
}

export function* writeEnding(
  run: RunId,
  { ending, at }: { readonly ending: Ending; readonly at: Instant },
): Unit<void> {
  const placed = placeJson(ending as unknown as Json);
  yield* together(
    change(
      `UPDATE runs SET state = ?, ending = ?, ending_text = ?, updated_at = ?, ${freeLease}
       WHERE run = ?`,
      ending.kind,
      placed.inline,
      placed.text,
      at,
      run,
    ),
    ...keepLong(placed),
  );
}

/** The row, locked until this transaction ends. */
export function* loadLease(run: RunId): Unit<LeaseRow> {
  const row = yield* getLocked<LeaseRow>(
    "r",
    `SELECT r.state, r.epoch, r.top, r.cancel_reason, r.holder_host, r.holder_pid,
       r.holder_process_start, r.holder_token, r.holder_since, r.holder_expires
     FROM runs r WHERE r.run = ?`,
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
