import type { Key, RunId } from "../../../domain/values/ids.ts";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { AttemptEnd, AttemptStart } from "../../../ports/journal.ts";
import type { StoredError } from "../../../ports/runner.ts";
import {
  type Account,
  type Amounts,
  amountsOf,
  boundBroken,
  type Cost,
  costOfFailure,
  costOfReply,
  type Expenses,
  millisOfSeconds,
} from "./amounts.ts";
import type { Connection } from "./connection.ts";

interface HeldRow {
  readonly held_micro_usd: number;
  readonly held_tokens: number;
  readonly held_millis: number;
}

/** A run, and the one whose budget it uses. */
export interface Payer {
  readonly run: RunId;
  readonly top: string;
  /** Without a bound nobody reads the counters of `top`, so they are not kept. */
  readonly isBounded: boolean;
}

interface Attempt extends Payer {
  readonly key: Key;
}

const nothing: Amounts = { microUsd: 0, tokens: 0, millis: 0 };

/** Opens a ledger line and sets its reservation aside, unless a bound forbids it. */
export function startAttempt(
  connection: Connection,
  payer: Payer,
  start: AttemptStart,
):
  | { readonly kind: "reserved"; readonly attempt: number }
  | { readonly kind: "over-budget"; readonly facts: Json } {
  const reserved = amountsOf(start.reserve);
  if (payer.isBounded) {
    const facts = boundBroken(accountOf(connection, payer.top), reserved);
    if (facts !== undefined) {
      return { kind: "over-budget", facts };
    }
    settle(connection, payer.top, { reserved, spent: nothing });
  }
  return { kind: "reserved", attempt: openLine(connection, payer.run, { start, reserved }) };
}

function accountOf(connection: Connection, top: string): Account {
  return connection.get<Account>(
    `SELECT budget_micro_usd, budget_tokens, budget_millis, spent_micro_usd, spent_tokens,
       spent_millis, reserved_micro_usd, reserved_tokens, reserved_millis
     FROM runs WHERE run = ?`,
    top,
  ) as Account;
}

/** Nearly every attempt is the first of its call, so the number is looked up only when that one is taken. */
function openLine(
  connection: Connection,
  run: RunId,
  line: { readonly start: AttemptStart; readonly reserved: Amounts },
): number {
  if (addLine(connection, run, { attempt: 1, ...line })) {
    return 1;
  }
  const { last } = connection.get<{ last: number }>(
    "SELECT MAX(attempt) AS last FROM attempts WHERE run = ? AND key = ?",
    run,
    line.start.key,
  ) as { last: number };
  addLine(connection, run, { attempt: last + 1, ...line });
  return last + 1;
}

function addLine(
  connection: Connection,
  run: RunId,
  line: { readonly start: AttemptStart; readonly reserved: Amounts; readonly attempt: number },
): boolean {
  const { start, reserved, attempt } = line;
  const added = connection.run(
    `INSERT INTO attempts (run, key, attempt, state, model, started_at,
       held_micro_usd, held_tokens, held_millis)
     VALUES (?, ?, ?, 'started', ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    run,
    start.key,
    attempt,
    start.model,
    start.at,
    reserved.microUsd,
    reserved.tokens,
    reserved.millis,
  );
  return added === 1;
}

/** Closes a ledger line with the provider's figures. A line that is closed already stays as it is. */
export function closeReplied(
  connection: Connection,
  of: Attempt,
  { end, role }: { readonly end: AttemptEnd; readonly role: string },
): void {
  closeLine(connection, of, { end, state: "replied", role, error: null, cost: costOfReply(end) });
}

export function closeFailed(
  connection: Connection,
  of: Attempt,
  { end, error }: { readonly end: AttemptEnd; readonly error: StoredError },
): void {
  const cost = costOfFailure(end);
  closeLine(connection, of, {
    end,
    state: "failed",
    role: null,
    error: JSON.stringify(error),
    cost,
  });
}

/** Marks what is still open as lost. It may have been billed, so its reservation counts as spent. */
export function loseOpenAttempts(connection: Connection, run: RunId, top: string): void {
  const lost = connection
    .all<HeldRow>(
      `UPDATE attempts SET state = 'lost' WHERE run = ? AND state = 'started'
       RETURNING held_micro_usd, held_tokens, held_millis`,
      run,
    )
    .map(amountsOfRow);
  for (const amounts of lost) {
    settle(connection, top, { reserved: negative(amounts), spent: amounts });
  }
}

/** What a run and its children hold of the budget, added up from the ledger. */
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

function closeLine(
  connection: Connection,
  of: Attempt,
  line: {
    readonly end: AttemptEnd;
    readonly state: "replied" | "failed";
    readonly role: string | null;
    readonly error: string | null;
    readonly cost: Cost;
  },
): void {
  const { attempt, finishedAt, seconds, usage } = line.end;
  const { cost } = line;
  const reserved = of.isBounded ? reservationOf(connection, of, attempt) : undefined;
  const closed = connection.run(
    `UPDATE attempts SET state = ?, role = ?, finished_at = ?, millis = ?, input_tokens = ?,
       output_tokens = ?, cached_input_tokens = ?, micro_usd = ?, error = ?,
       held_micro_usd = COALESCE(?, held_micro_usd), held_tokens = COALESCE(?, held_tokens),
       held_millis = ?
     WHERE run = ? AND key = ? AND attempt = ? AND state = 'started'`,
    line.state,
    line.role,
    finishedAt,
    millisOfSeconds(seconds),
    usage?.input ?? null,
    usage?.output ?? null,
    usage?.cachedInput ?? null,
    usage?.microUsd === undefined ? null : Math.ceil(usage.microUsd),
    line.error,
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

/** What an open line holds; absent when it is closed. */
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
  const line = connection.get(
    "SELECT 1 FROM attempts WHERE run = ? AND key = ? AND attempt = ?",
    run,
    key,
    attempt,
  );
  if (line === undefined) {
    throw new WorkflowError(`attempt ${attempt} of ${key} was never started`, {
      code: "attempt-unknown",
      facts: { run, key, attempt },
    });
  }
}

/** Keeps the counters by which bounds are judged; a bound that is set later begins with what the ledger says. */
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
