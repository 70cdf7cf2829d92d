import type { LedgerTotals, RunCount, StatsRepo } from "../../../../ports/repos.ts";
import { selectRows } from "../rows.ts";
import { all, get } from "../unit.ts";
import { totalColumns } from "./ledger.ts";
import type { UnitsOf } from "./units-of.ts";

export const statsRepo: UnitsOf<StatsRepo> = {
  *runs(since) {
    const condition = since === undefined ? "" : "WHERE created_at >= ?";
    return yield* all<RunCount>(
      `SELECT kind, state, COUNT(*) AS runs FROM runs ${condition}
         GROUP BY kind, state ORDER BY kind, state`,
      ...(since === undefined ? [] : [since]),
    );
  },
  *runsIn(states) {
    const places = states.map(() => "?").join();
    const row = yield* get<{ count: number }>(
      `SELECT COUNT(*) AS count FROM runs WHERE state IN (${places})`,
      ...states,
    );
    return row?.count ?? 0;
  },
  *runsByDay(since) {
    return yield* all<{ day: string; runs: number }>(
      `SELECT substr(created_at, 1, 10) AS day, COUNT(*) AS runs FROM runs WHERE created_at >= ?
         GROUP BY day ORDER BY day`,
      since,
    );
  },
  *costsByDay(since) {
    return yield* selectRows<LedgerTotals & { day: string }>(
      `SELECT substr(r.created_at, 1, 10) AS day, a.model, ${totalColumns}
         FROM runs r JOIN attempts a ON a.run = r.run
         WHERE r.created_at >= ? GROUP BY day, a.model ORDER BY day, a.model`,
      since,
    );
  },
  *costs(since) {
    return yield* selectRows<LedgerTotals & { kind: string }>(
      `SELECT r.kind, a.role, a.model, ${totalColumns}
         FROM runs r JOIN attempts a ON a.run = r.run
         WHERE r.created_at >= ? GROUP BY r.kind, a.role, a.model
         ORDER BY r.kind, a.model, COALESCE(a.role, '')`,
      since,
    );
  },
};
