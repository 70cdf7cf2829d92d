import type { LedgerTotals, RunCount, StatsRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";
import { selectRows } from "../rows.ts";
import { totalColumns } from "./ledger.ts";

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
      return selectRows<LedgerTotals & { day: string }>(
        connection,
        `SELECT substr(r.created_at, 1, 10) AS day, a.model, ${totalColumns}
         FROM runs r JOIN attempts a ON a.run = r.run
         WHERE r.created_at >= ? GROUP BY day, a.model ORDER BY day, a.model`,
        since,
      );
    },
    async costs(since) {
      return selectRows<LedgerTotals & { kind: string }>(
        connection,
        `SELECT r.kind, a.role, a.model, ${totalColumns}
         FROM runs r JOIN attempts a ON a.run = r.run
         WHERE r.created_at >= ? GROUP BY r.kind, a.role, a.model
         ORDER BY r.kind, a.model, a.role`,
        since,
      );
    },
  };
}
