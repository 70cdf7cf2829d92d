import type { Key, RunId } from "../../../domain/values/ids.ts";
import type { Json } from "../../../domain/values/json.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { AttemptEnd, AttemptStart } from "../../../ports/journal.ts";
import type { StoredError } from "../../../ports/runner.ts";
import {
  type Account,
  type Amounts,
  amountsOf,
  amountsOfFailure,
  amountsOfReply,
  boundBroken,
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
interface Payer {
  readonly run: RunId;
  readonly top: string;
}

interface Attempt extends Payer {
  readonly key: Key;
}

const hasBound = "COALESCE(budget_micro_usd, budget_tokens, budget_millis) IS NOT NULL";

const nothing: Amounts = { microUsd: 0, tokens: 0, millis: 0 };

/** Opens a ledger line and sets its reservation aside, unless a bound forbids it. */
export function startAttempt(
  connection: Connection,
  { run, top }: Payer,
  start: AttemptStart,
):
  | { readonly kind: "reserved"; readonly attempt: number }
  | { readonly kind: "over-budget"; readonly facts: Json } {
  const asked = amountsOf(start.reserve);
  const account = connection.get<Account>(
    `SELECT budget_micro_usd, budget_tokens, budget_millis, spent_micro_usd, spent_tokens,
       spent_millis, reserved_micro_usd, reserved_tokens, reserved_millis
     FROM runs WHERE run = ? AND ${hasBound}`,
    top,
  );
  if (account !== undefined) {
    const facts = boundBroken(account, asked);
    if (facts !== undefined) {
      return { kind: "over-budget", facts };
    }
    settle(connection, top, { reserved: asked, spent: nothing });
  }
  const line = connection.get(
    `INSERT INTO attempts (run, key, attempt, state, model, started_at,
       held_micro_usd, held_tokens, held_millis)
     SELECT ?, ?, COALESCE(MAX(attempt), 0) + 1, 'started', ?, ?, ?, ?, ?
     FROM attempts WHERE run = ? AND key = ? RETURNING attempt`,
    run,
    start.key,
    start.model,
    start.at,
    asked.microUsd,
    asked.tokens,
    asked.millis,
    run,
    start.key,
  ) as { readonly attempt: number };
  return { kind: "reserved", attempt: line.attempt };
}

/** Closes a ledger line with the provider's figures. A line that is closed already stays as it is. */
export function closeReplied(
  connection: Connection,
  of: Attempt,
  { end, role }: { readonly end: AttemptEnd; readonly role: string },
): void {
  closeLine(connection, of, {
    end,
    state: "replied",
    role,
    error: null,
    cost: (reserved) => amountsOfReply(end, reserved),
  });
}

export function closeFailed(
  connection: Connection,
  of: Attempt,
  { end, error }: { readonly end: AttemptEnd; readonly error: StoredError },
): void {
  closeLine(connection, of, {
    end,
    state: "failed",
    role: null,
    error: JSON.stringify(error),
    cost: () => amountsOfFailure(end),
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
  { run, key, top }: Attempt,
  line: {
    readonly end: AttemptEnd;
    readonly state: "replied" | "failed";
    readonly role: string | null;
    readonly error: string | null;
    readonly cost: (reserved: Amounts) => Amounts;
  },
): void {
  const { attempt, finishedAt, seconds, usage } = line.end;
  const open = connection.get<HeldRow & { state: string }>(
    `SELECT state, held_micro_usd, held_tokens, held_millis
     FROM attempts WHERE run = ? AND key = ? AND attempt = ?`,
    run,
    key,
    attempt,
  );
  if (open === undefined) {
    throw new WorkflowError(`attempt ${attempt} of ${key} was never started`, {
      code: "attempt-unknown",
      facts: { run, key, attempt },
    });
  }
  if (open.state !== "started") {
    return;
  }
  const reserved = amountsOfRow(open);
  const spent = line.cost(reserved);
  connection.run(
    `UPDATE attempts SET state = ?, role = ?, finished_at = ?, millis = ?, input_tokens = ?,
       output_tokens = ?, cached_input_tokens = ?, micro_usd = ?, error = ?,
       held_micro_usd = ?, held_tokens = ?, held_millis = ?
     WHERE run = ? AND key = ? AND attempt = ?`,
    line.state,
    line.role,
    finishedAt,
    millisOfSeconds(seconds),
    usage?.input ?? null,
    usage?.output ?? null,
    usage?.cachedInput ?? null,
    usage?.microUsd === undefined ? null : Math.ceil(usage.microUsd),
    line.error,
    spent.microUsd,
    spent.tokens,
    spent.millis,
    run,
    key,
    attempt,
  );
  settle(connection, top, { reserved: negative(reserved), spent });
}

/**
 * Keeps the counters by which bounds are judged. Without a bound nobody reads them, and a page less is written
 * twice a call; a bound that is set later begins with what the ledger says.
 */
function settle(
  connection: Connection,
  top: string,
  { reserved, spent }: { readonly reserved: Amounts; readonly spent: Amounts },
): void {
  connection.run(
    `UPDATE runs SET reserved_micro_usd = reserved_micro_usd + ?, reserved_tokens = reserved_tokens + ?,
       reserved_millis = reserved_millis + ?, spent_micro_usd = spent_micro_usd + ?,
       spent_tokens = spent_tokens + ?, spent_millis = spent_millis + ?
     WHERE run = ? AND ${hasBound}`,
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
