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
  millisOfSeconds,
} from "./amounts.ts";
import type { Connection } from "./connection.ts";

interface ReservedRow {
  readonly reserved_micro_usd: number;
  readonly reserved_tokens: number;
  readonly reserved_millis: number;
}

interface StartedAttempt {
  readonly run: RunId;
  readonly account: Account & { readonly top: string };
  readonly start: AttemptStart;
}

interface Attempt {
  readonly run: RunId;
  readonly key: Key;
  readonly top: string;
}

const nothing: Amounts = { microUsd: 0, tokens: 0, millis: 0 };

/** Opens a ledger line and sets its reservation aside, unless a bound forbids it. */
export function startAttempt(
  connection: Connection,
  { run, account, start }: StartedAttempt,
):
  | { readonly kind: "reserved"; readonly attempt: number }
  | { readonly kind: "over-budget"; readonly facts: Json } {
  const asked = amountsOf(start.reserve);
  const facts = boundBroken(account, asked);
  if (facts !== undefined) {
    return { kind: "over-budget", facts };
  }
  const last = connection.get<{ attempt: number | null }>(
    "SELECT MAX(attempt) AS attempt FROM attempts WHERE run = ? AND key = ?",
    run,
    start.key,
  );
  const attempt = (last?.attempt ?? 0) + 1;
  connection.run(
    `INSERT INTO attempts (run, key, attempt, state, model, started_at,
       reserved_micro_usd, reserved_tokens, reserved_millis)
     VALUES (?, ?, ?, 'started', ?, ?, ?, ?, ?)`,
    run,
    start.key,
    attempt,
    start.model,
    start.at,
    asked.microUsd,
    asked.tokens,
    asked.millis,
  );
  settle(connection, account.top, { reserved: asked, spent: nothing });
  return { kind: "reserved", attempt };
}

/** Closes a ledger line with the provider's figures. A line that is closed already stays as it is. */
export function closeReplied(
  connection: Connection,
  of: Attempt,
  { end, role }: { readonly end: AttemptEnd; readonly role: string },
): void {
  const reserved = closeLine(connection, of, { end, state: "replied", role, error: null });
  if (reserved !== undefined) {
    const spent = amountsOfReply(end, reserved);
    settle(connection, of.top, { reserved: negative(reserved), spent });
  }
}

export function closeFailed(
  connection: Connection,
  of: Attempt,
  { end, error }: { readonly end: AttemptEnd; readonly error: StoredError },
): void {
  const line = { end, state: "failed", role: null, error: JSON.stringify(error) } as const;
  const reserved = closeLine(connection, of, line);
  if (reserved !== undefined) {
    settle(connection, of.top, { reserved: negative(reserved), spent: amountsOfFailure(end) });
  }
}

/** Marks what is still open as lost. It may have been billed, so its reservation counts as spent. */
export function loseOpenAttempts(connection: Connection, run: RunId, top: string): void {
  const sums = connection.get<ReservedRow & { count: number }>(
    `SELECT COUNT(*) AS count,
       COALESCE(SUM(reserved_micro_usd), 0) AS reserved_micro_usd,
       COALESCE(SUM(reserved_tokens), 0) AS reserved_tokens,
       COALESCE(SUM(reserved_millis), 0) AS reserved_millis
     FROM attempts WHERE run = ? AND state = 'started'`,
    run,
  );
  if (sums === undefined || sums.count === 0) {
    return;
  }
  const lost = amountsOfRow(sums);
  connection.run("UPDATE attempts SET state = 'lost' WHERE run = ? AND state = 'started'", run);
  settle(connection, top, { reserved: negative(lost), spent: lost });
}

/** Returns what the line had set aside, or `undefined` when it was closed before. */
function closeLine(
  connection: Connection,
  { run, key }: Attempt,
  line: {
    readonly end: AttemptEnd;
    readonly state: "replied" | "failed";
    readonly role: string | null;
    readonly error: string | null;
  },
): Amounts | undefined {
  const { attempt, finishedAt, seconds, usage } = line.end;
  const open = connection.get<ReservedRow & { state: string }>(
    `SELECT state, reserved_micro_usd, reserved_tokens, reserved_millis
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
    return undefined;
  }
  connection.run(
    `UPDATE attempts SET state = ?, role = ?, finished_at = ?, millis = ?, input_tokens = ?,
       output_tokens = ?, cached_input_tokens = ?, micro_usd = ?, error = ?
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
    run,
    key,
    attempt,
  );
  return amountsOfRow(open);
}

function settle(
  connection: Connection,
  top: string,
  { reserved, spent }: { readonly reserved: Amounts; readonly spent: Amounts },
): void {
  const changes = [reserved, spent].flatMap((a) => [a.microUsd, a.tokens, a.millis]);
  if (changes.every((change) => change === 0)) {
    return;
  }
  connection.run(
    `UPDATE runs SET reserved_micro_usd = reserved_micro_usd + ?, reserved_tokens = reserved_tokens + ?,
       reserved_millis = reserved_millis + ?, spent_micro_usd = spent_micro_usd + ?,
       spent_tokens = spent_tokens + ?, spent_millis = spent_millis + ?
     WHERE run = ?`,
    ...changes,
    top,
  );
}

function amountsOfRow(row: ReservedRow): Amounts {
  return {
    microUsd: row.reserved_micro_usd,
    tokens: row.reserved_tokens,
    millis: row.reserved_millis,
  };
}

function negative(amounts: Amounts): Amounts {
  return { microUsd: -amounts.microUsd, tokens: -amounts.tokens, millis: -amounts.millis };
}
