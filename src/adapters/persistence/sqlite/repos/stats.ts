import type { RunCount, StatsRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";
import { type TotalsRow, totalColumns, totalsOf } from "./ledger.ts";

export function statsRepo(connection: Connection): StatsRepo {
  return {
    async runs(since) {
      return connection.all<RunCount>(
        `SELECT kind, state, COUNT(*) AS runs FROM runs WHERE created_at >= ?
         GROUP BY kind, state ORDER BY kind, state`,
        since,
      );
    },
    async runsByDay(since) {
      return connection.all<{ day: string; runs: number }>(
        `SELECT substr(created_at, 1, 10) AS day, COUNT(*) AS runs FROM runs WHERE created_at >= ?
         GROUP BY day ORDER BY day`,
        since,
      );
    },
    async costsByDay(since) {
      return connection
        .all<TotalsRow & { day: string }>(
          `SELECT substr(r.created_at, 1, 10) AS day, NULL AS role, a.model, ${totalColumns}
           FROM runs r JOIN attempts a ON a.run = r.run
           WHERE r.created_at >= ? GROUP BY day, a.model ORDER BY day, a.model`,
          since,
        )
        .map((row) => ({ day: row.day, ...totalsOf(row) }));
    },
    async costs(since) {
      return connection
        .all<TotalsRow & { kind: string }>(
          `SELECT r.kind, a.role, a.model, ${totalColumns}
           FROM runs r JOIN attempts a ON a.run = r.run
           WHERE r.created_at >= ? GROUP BY r.kind, a.role, a.model
           ORDER BY r.kind, a.model, a.role`,
          since,
        )
        .map((row) => ({ kind: row.kind, ...totalsOf(row) }));
    },
  };
}
