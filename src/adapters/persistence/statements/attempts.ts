import type { Key, RunId } from "../../../domain/values/ids.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { AttemptEnd, AttemptStart, Journal } from "../../../ports/journal.ts";
import type { StoredError } from "../../../ports/runner.ts";
import {
  type Account,
  type Amounts,
  amountsOf,
  boundBroken,
  costOfFailure,
  costOfReply,
  type Expenses,
  type HeldRow,
  knownCost,
  millisOfSeconds,
} from "./amounts.ts";
import { all, change, get, type Unit } from "./unit.ts";

/** A run, and the one whose budget it uses. */
export interface Payer {
  readonly run: RunId;
  readonly top: string;
  /** Without a limit the counters of `top` are never read, so they are not kept. */
  readonly isBounded: boolean;
}

interface Attempt extends Payer {
  readonly key: Key;
}

/**
 * Opens a ledger line and reserves its budget, unless that would exceed a limit. Limit and reservation are one statement:
 * other runs pay from the same budget at the same time.
 */
export function* startAttempt(
  payer: Payer,
  start: AttemptStart,
): Unit<Awaited<ReturnType<Journal["start"]>>> {
  const asked = amountsOf(start.reserve);
  while (payer.isBounded && !(yield* isReserved(payer.top, asked))) {
    const facts = boundBroken(yield* accountOf(payer.top), asked);
    if (facts !== undefined) return { kind: "over-budget", facts };
  }
  return { kind: "reserved", attempt: yield* openLine(payer.run, start) };
}

function* isReserved(top: string, { microUsd, tokens, millis }: Amounts): Unit<boolean> {
  const changed = yield* change(
    reserve,
    ...[microUsd, tokens, millis],
    top,
    microUsd,
    tokens,
    millis,
  );
  return changed === 1;
}

const fits = (unit: string): string =>
  `(budget_${unit} IS NULL OR spent_${unit} + reserved_${unit} + ? <= budget_${unit})`;
const reserve = `UPDATE runs SET reserved_micro_usd = reserved_micro_usd + ?,
    reserved_tokens = reserved_tokens + ?, reserved_millis = reserved_millis + ?
  WHERE run = ? AND ${fits("micro_usd")} AND ${fits("tokens")} AND ${fits("millis")}`;

function* accountOf(top: string): Unit<Account> {
  return (yield* get<Account>(
    `SELECT budget_micro_usd, budget_tokens, budget_millis, spent_micro_usd, spent_tokens,
       spent_millis, reserved_micro_usd, reserved_tokens, reserved_millis
     FROM runs WHERE run = ?`,
    top,
  )) as Account;
}

/** Nearly every attempt is the first of its call, so the number is looked up only if that one is taken. */
function* openLine(run: RunId, start: AttemptStart): Unit<number> {
  if (yield* isOpened(run, 1, start)) return 1;
  const sql = "SELECT MAX(attempt) AS last FROM attempts WHERE run = ? AND key = ?";
  const { last } = (yield* get<{ last: number }>(sql, run, start.key)) as { last: number };
  yield* isOpened(run, last + 1, start);
  return last + 1;
}

function* isOpened(run: RunId, attempt: number, start: AttemptStart): Unit<boolean> {
  const { microUsd, tokens, millis } = amountsOf(start.reserve);
  const added = yield* change(
    `INSERT INTO attempts (run, key, attempt, state, model, started_at,
       held_micro_usd, held_tokens, held_millis)
     VALUES (?, ?, ?, 'started', ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    run,
    start.key,
    attempt,
    start.model,
    start.at,
    microUsd,
    tokens,
    millis,
  );
  return added === 1;
}

/** Closes a ledger line with the provider's figures. A line that is already closed stays unchanged. */
export function* closeAttempt(
  of: Attempt,
  line: { readonly end: AttemptEnd; readonly role?: string; readonly error?: StoredError },
): Unit<void> {
  const { end, role, error } = line;
  const { attempt, finishedAt, seconds, usage } = end;
  const cost = error === undefined ? costOfReply(end) : costOfFailure(end);
  const reserved = of.isBounded ? yield* reservationOf(of, attempt) : undefined;
  const closed = yield* change(
    `UPDATE attempts SET state = ?, role = ?, finished_at = ?, millis = ?, input_tokens = ?,
       output_tokens = ?, cached_input_tokens = ?, micro_usd = ?, error = ?,
       held_micro_usd = COALESCE(?, held_micro_usd), held_tokens = COALESCE(?, held_tokens),
       held_millis = ?
     WHERE run = ? AND key = ? AND attempt = ? AND state = 'started'`,
    error === undefined ? "replied" : "failed",
    role ?? null,
    finishedAt,
    millisOfSeconds(seconds),
    usage?.input ?? null,
    usage?.output ?? null,
    usage?.cachedInput ?? null,
    knownCost(end),
    error === undefined ? null : JSON.stringify(error),
    cost.microUsd,
    cost.tokens,
    cost.millis,
    of.run,
    of.key,
    attempt,
  );
  if (closed === 0) {
    yield* refuseUnknown(of, attempt);
  } else if (reserved !== undefined) {
    const spent = {
      microUsd: cost.microUsd ?? reserved.microUsd,
      tokens: cost.tokens ?? reserved.tokens,
      millis: cost.millis,
    };
    yield* settle(of.top, { reserved: negative(reserved), spent });
  }
}

/** Marks open attempts as lost. They may have been billed, so their reservations count as spent. */
export function* loseOpenAttempts(run: RunId, top: string): Unit<void> {
  const lost = yield* all<HeldRow>(
    `UPDATE attempts SET state = 'lost' WHERE run = ? AND state = 'started'
     RETURNING held_micro_usd, held_tokens, held_millis`,
    run,
  );
  for (const spent of lost.map(amountsOfRow)) {
    yield* settle(top, { reserved: negative(spent), spent });
  }
}

/** What a run and its children have spent and reserved, summed up from the ledger. */
export function* accountFromLedger(top: string): Unit<Expenses> {
  return (yield* get<Expenses>(
    `SELECT ${sumOf("micro_usd")}, ${sumOf("tokens")}, ${sumOf("millis")}
     FROM runs r CROSS JOIN attempts a WHERE r.top = ? AND a.run = r.run`,
    top,
  )) as Expenses;
}

function sumOf(what: "micro_usd" | "tokens" | "millis"): string {
  const sum = (comparison: string) =>
    `COALESCE(SUM(CASE WHEN a.state ${comparison} 'started' THEN a.held_${what} END), 0)`;
  return `${sum("<>")} AS spent_${what}, ${sum("=")} AS reserved_${what}`;
}

/** The reservation of an open line; absent if it is closed. */
function* reservationOf({ run, key }: Attempt, attempt: number): Unit<Amounts | undefined> {
  const row = yield* get<HeldRow>(
    `SELECT held_micro_usd, held_tokens, held_millis
     FROM attempts WHERE run = ? AND key = ? AND attempt = ? AND state = 'started'`,
    run,
    key,
    attempt,
  );
  return row && amountsOfRow(row);
}

function* refuseUnknown({ run, key }: Attempt, attempt: number): Unit<void> {
  const sql = "SELECT 1 AS found FROM attempts WHERE run = ? AND key = ? AND attempt = ?";
  const line = yield* get(sql, run, key, attempt);
  if (line === undefined) {
    throw new WorkflowError(`attempt ${attempt} of ${key} was never started`, {
      code: "attempt-unknown",
      facts: { run, key, attempt },
    });
  }
}

/** Updates the counters that limits are checked against; a limit set later starts from the ledger's sums. */
function* settle(
  top: string,
  { reserved, spent }: { readonly reserved: Amounts; readonly spent: Amounts },
): Unit<void> {
  yield* change(
    `UPDATE runs SET reserved_micro_usd = reserved_micro_usd + ?, reserved_tokens = reserved_tokens + ?,
       reserved_millis = reserved_millis + ?, spent_micro_usd = spent_micro_usd + ?,
       spent_tokens = spent_tokens + ?, spent_millis = spent_millis + ?
     WHERE run = ? AND COALESCE(budget_micro_usd, budget_tokens, budget_millis) IS NOT NULL`,
    reserved.microUsd,
    reserved.tokens,
    reserved.millis,
    spent.microUsd,
    spent.tokens,
    spent.millis,
    top,
  );
}

function amountsOfRow(row: HeldRow): Amounts {
  return { microUsd: row.held_micro_usd, tokens: row.held_tokens, millis: row.held_millis };
}

function negative(amounts: Amounts): Amounts {
  return { microUsd: -amounts.microUsd, tokens: -amounts.tokens, millis: -amounts.millis };
}
