import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { Json } from "../../../../domain/values/json.ts";
import type { LedgerRepo, LedgerTotals } from "../../../../ports/repos.ts";
import type { LedgerLine } from "../../../../ports/run-store.ts";
import type { Connection, Value } from "../connection.ts";

interface LineRow {
  readonly run: string;
  readonly key: string;
  readonly attempt: number;
  readonly state: LedgerLine["state"];
  readonly model: string;
  readonly role: string | null;
  readonly started_at: string;
  readonly millis: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly micro_usd: number | null;
  readonly error: string | null;
}

export interface TotalsRow {
  readonly role: string | null;
  readonly model: string;
  readonly attempts: number;
  readonly replied: number;
  readonly failed: number;
  readonly lost: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  readonly micro_usd: number;
  readonly unpriced: number;
  readonly millis: number;
}

/** Sums over attempts `a`. */
export const totalColumns = `COUNT(*) AS attempts,
  SUM(CASE WHEN a.state = 'replied' THEN 1 ELSE 0 END) AS replied,
  SUM(CASE WHEN a.state = 'failed' THEN 1 ELSE 0 END) AS failed,
  SUM(CASE WHEN a.state = 'lost' THEN 1 ELSE 0 END) AS lost,
  COALESCE(SUM(a.input_tokens), 0) AS input_tokens,
  COALESCE(SUM(a.output_tokens), 0) AS output_tokens,
  COALESCE(SUM(a.cached_input_tokens), 0) AS cached_input_tokens,
  COALESCE(SUM(a.micro_usd), 0) AS micro_usd,
  SUM(CASE WHEN a.state = 'replied' AND a.micro_usd IS NULL THEN 1 ELSE 0 END) AS unpriced,
  COALESCE(SUM(a.millis), 0) AS millis`;

const family = `WITH RECURSIVE family (run) AS (
  SELECT run FROM runs WHERE run = ?
  UNION ALL
  SELECT r.run FROM runs r JOIN family f ON r.parent = f.run
)`;

/** `CROSS JOIN` keeps SQLite from walking through the lines of all other runs in search of a page. */
export function ledgerRepo(connection: Connection): LedgerRepo {
  return {
    async lines(run, { limit, after }) {
      const values: Value[] = after === undefined ? [] : [after.run, after.key, after.attempt];
      const following = after === undefined ? "" : "AND (a.run, a.key, a.attempt) > (?, ?, ?)";
      return connection
        .all<LineRow>(
          `${family}
           SELECT a.run, a.key, a.attempt, a.state, a.model, a.role, a.started_at, a.millis,
             a.input_tokens, a.output_tokens, a.cached_input_tokens, a.micro_usd, a.error
           FROM family f CROSS JOIN attempts a WHERE a.run = f.run ${following}
           ORDER BY a.run, a.key, a.attempt LIMIT ?`,
          run,
          ...values,
          limit,
        )
        .map(lineOf);
    },
    async totals(run) {
      return connection
        .all<TotalsRow>(
          `${family}
           SELECT a.role, a.model, ${totalColumns}
           FROM family f JOIN attempts a ON a.run = f.run
           GROUP BY a.role, a.model ORDER BY a.model, a.role`,
          run,
        )
        .map(totalsOf);
    },
  };
}

export function totalsOf(row: TotalsRow): LedgerTotals {
  return {
    ...(row.role === null ? {} : { role: row.role }),
    model: row.model,
    attempts: row.attempts,
    replied: row.replied,
    failed: row.failed,
    lost: row.lost,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedInputTokens: row.cached_input_tokens,
    microUsd: row.micro_usd,
    unpriced: row.unpriced,
    seconds: row.millis / 1000,
  };
}

function lineOf(row: LineRow): LedgerLine {
  return {
    run: runId(row.run),
    key: row.key,
    attempt: row.attempt,
    ...(row.role === null ? {} : { role: row.role }),
    model: row.model,
    state: row.state,
    startedAt: instant(row.started_at),
    ...(row.millis === null ? {} : { seconds: row.millis / 1000 }),
    ...(row.input_tokens === null ? {} : { inputTokens: row.input_tokens }),
    ...(row.output_tokens === null ? {} : { outputTokens: row.output_tokens }),
    ...(row.cached_input_tokens === null ? {} : { cachedInputTokens: row.cached_input_tokens }),
    ...(row.micro_usd === null ? {} : { microUsd: row.micro_usd }),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as Json }),
  };
}
