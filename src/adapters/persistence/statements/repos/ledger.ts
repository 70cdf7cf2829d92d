import type { LedgerRepo, LedgerTotals } from "../../../../ports/repos.ts";
import type { LedgerLine } from "../../../../ports/run-store.ts";
import { selectRows } from "../rows.ts";
import { storedJson } from "../texts.ts";
import type { Value } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

const isSuspended = `COALESCE(a.error, '') LIKE '{"code":"suspended"%'`;

/** Sums over attempts `a`. One that was suspended to wait for an answer has not failed. */
export const totalColumns = `COUNT(*) AS attempts,
  SUM(CASE WHEN a.state = 'replied' THEN 1 ELSE 0 END) AS replied,
  SUM(CASE WHEN a.state = 'failed' AND NOT ${isSuspended} THEN 1 ELSE 0 END) AS failed,
  SUM(CASE WHEN a.state = 'lost' THEN 1 ELSE 0 END) AS lost,
  COALESCE(SUM(a.input_tokens), 0) AS input_tokens,
  COALESCE(SUM(a.output_tokens), 0) AS output_tokens,
  COALESCE(SUM(a.cached_input_tokens), 0) AS cached_input_tokens,
  COALESCE(SUM(a.micro_usd), 0) AS micro_usd,
  SUM(CASE WHEN a.state <> 'started' AND NOT ${isSuspended} AND a.micro_usd IS NULL
    THEN 1 ELSE 0 END) AS unpriced,
  SUM(CASE WHEN a.state = 'replied' AND a.input_tokens IS NULL THEN 1 ELSE 0 END) AS uncounted,
  COALESCE(SUM(a.millis), 0) / 1000.0 AS seconds`;

/** The run and all its descendants. */
export const family = `WITH RECURSIVE family (run) AS (
  SELECT run FROM runs WHERE run = ?
  UNION ALL
  SELECT r.run FROM runs r JOIN family f ON r.parent = f.run
)`;

/** `CROSS JOIN` keeps SQLite from scanning the lines of all other runs. */
export const ledgerRepo: UnitsOf<LedgerRepo> = {
  *lines(run, { limit, after }) {
    const values: Value[] = after === undefined ? [] : [after.run, after.key, after.attempt];
    const following = after === undefined ? "" : "AND (a.run, a.key, a.attempt) > (?, ?, ?)";
    const lines = yield* selectRows<Omit<LedgerLine, "error"> & { readonly error?: string }>(
      `${family}
         SELECT a.run, a.key, a.attempt, a.role, a.model, a.state, a.started_at,
           a.millis / 1000.0 AS seconds, a.input_tokens, a.output_tokens, a.cached_input_tokens,
           a.micro_usd, a.error
         FROM family f CROSS JOIN attempts a WHERE a.run = f.run ${following}
         ORDER BY a.run, a.key, a.attempt LIMIT ?`,
      run,
      ...values,
      limit,
    );
    return lines.map(({ error, ...line }) =>
      error === undefined ? line : { ...line, error: storedJson(error) },
    );
  },
  *totals(run) {
    return yield* selectRows<LedgerTotals>(
      `${family}
         SELECT a.role, a.model, ${totalColumns}
         FROM family f CROSS JOIN attempts a WHERE a.run = f.run
         GROUP BY a.role, a.model ORDER BY a.model, COALESCE(a.role, '')`,
      run,
    );
  },
};
