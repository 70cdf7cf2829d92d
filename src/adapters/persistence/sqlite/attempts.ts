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
  millisOfSeconds,
} from "./amounts.ts";
import type { Connection } from "./connection.ts";

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

const nothing: Amounts = { microUsd: 0, tokens: 0, millis: 0 };

/** Opens a ledger line and reserves its budget, unless that would exceed a limit. */
export function startAttempt(
  connection: Connection,
  payer: Payer,
  start: AttemptStart,
): Awaited<ReturnType<Journal["start"]>> {
  if (payer.isBounded) {
    const reserved = amountsOf(start.reserve);
    const facts = boundBroken(accountOf(connection, payer.top), reserved);
    if (facts !== undefined) return { kind: "over-budget", facts };
    settle(connection, payer.top, { reserved, spent: nothing });
  }
  return { kind: "reserved", attempt: openLine(connection, payer.run, start) };
}

function accountOf(connection: Connection, top: string): Account {
  return connection.get<Account>(
    `SELECT budget_micro_usd, budget_tokens, budget_millis, spent_micro_usd, spent_tokens,
       spent_millis, reserved_micro_usd, reserved_tokens, reserved_millis
     FROM runs WHERE run = ?`,
    top,
  ) as Account;
}

/** Nearly every attempt is the first of its call, so the number is looked up only if that one is taken. */
function openLine(connection: Connection, run: RunId, start: AttemptStart): number {
  const { microUsd, tokens, millis } = amountsOf(start.reserve);
  const add = (attempt: number): boolean =>
    connection.run(
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
    ) === 1;
  if (add(1)) return 1;
  const sql = "SELECT MAX(attempt) AS last FROM attempts WHERE run = ? AND key = ?";
  const { last } = connection.get<{ last: number }>(sql, run, start.key) as { last: number };
  add(last + 1);
  return last + 1;
}

/** Closes a ledger line with the provider's figures. A line that is already closed stays unchanged. */
export function closeAttempt(
  connection: Connection,
  of: Attempt,
  line: { readonly end: AttemptEnd; readonly role?: string; readonly error?: StoredError },
): void {
  const { end, role, error } = line;
  const { attempt, finishedAt, seconds, usage } = end;
  const cost = error === undefined ? costOfReply(end) : costOfFailure(end);
  const reserved = of.isBounded ? reservationOf(connection, of, attempt) : undefined;
  const closed = connection.run(
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
    usage?.microUsd === undefined ? null : Math.ceil(usage.microUsd),
    error === undefined ? null : JSON.stringify(error),
    cost.microUsd,
    cost.tokens,
    cost.millis,
    of.run,
    of.key,
    attempt,
  );
  if (closed === 0) {
    refuseUnknown(connection, of, attempt);
  } else if (reserved !== undefined) {
    const spent = {
      microUsd: cost.microUsd ?? reserved.microUsd,
      tokens: cost.tokens ?? reserved.tokens,
      millis: cost.millis,
    };
    settle(connection, of.top, { reserved: negative(reserved), spent });
  }
}

/** Marks open attempts as lost. They may have been billed, so their reservations count as spent. */
export function loseOpenAttempts(connection: Connection, run: RunId, top: string): void {
  const lost = connection.all<HeldRow>(
    `UPDATE attempts SET state = 'lost' WHERE run = ? AND state = 'started'
     RETURNING held_micro_usd, held_tokens, held_millis`,
    run,
  );
  for (const spent of lost.map(amountsOfRow)) {
    settle(connection, top, { reserved: negative(spent), spent });
  }
}

/** What a run and its children have spent and reserved, summed up from the ledger. */
export function accountFromLedger(connection: Connection, top: string): Expenses {
  return connection.get<Expenses>(
    `SELECT ${sumOf("micro_usd")}, ${sumOf("tokens")}, ${sumOf("millis")}
     FROM runs r CROSS JOIN attempts a WHERE r.top = ? AND a.run = r.run`,
    top,
  ) as Expenses;
}

function sumOf(what: "micro_usd" | "tokens" | "millis"): string {
  const sum = (isOpen: number) =>
    `COALESCE(SUM(CASE WHEN (a.state = 'started') = ${isOpen} THEN a.held_${what} END), 0)`;
  return `${sum(0)} AS spent_${what}, ${sum(1)} AS reserved_${what}`;
}

/** The reservation of an open line; absent if it is closed. */
function reservationOf(
  connection: Connection,
  { run, key }: Attempt,
  attempt: number,
): Amounts | undefined {
  const row = connection.get<HeldRow>(
    `SELECT held_micro_usd, held_tokens, held_millis
     FROM attempts WHERE run = ? AND key = ? AND attempt = ? AND state = 'started'`,
    run,
    key,
    attempt,
  );
  return row && amountsOfRow(row);
}

function refuseUnknown(connection: Connection, { run, key }: Attempt, attempt: number): void {
  const sql = "SELECT 1 FROM attempts WHERE run = ? AND key = ? AND attempt = ?";
  const line = connection.get(sql, run, key, attempt);
  if (line === undefined) {
    throw new WorkflowError(`attempt ${attempt} of ${key} was never started`, {
      code: "attempt-unknown",
      facts: { run, key, attempt },
    });
  }
}

/** Updates the counters that limits are checked against; a limit set later starts from the ledger's sums. */
function settle(
  connection: Connection,
  top: string,
  { reserved, spent }: { readonly reserved: Amounts; readonly spent: Amounts },
): void {
  connection.run(
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
