import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { InboxPage, InboxRepo } from "../../../../ports/repos.ts";
import type { Connection, Value } from "../connection.ts";
import { type DecisionRow, decisionColumns, decisionFromRow } from "../decisions.ts";

/** CROSS JOIN makes SQLite start with the small table instead of scanning all finished runs. */
export function inboxRepo(connection: Connection): InboxRepo {
  return {
    async open({ limit, after }) {
      const following = after === undefined ? "" : "AND (d.asked_at, d.id) > (?, ?)";
      return connection
        .all<DecisionRow>(
          `SELECT ${decisionColumns} FROM decisions d CROSS JOIN runs r ON r.run = d.run
           WHERE d.answer IS NULL AND r.state NOT IN ('finished', 'cancelled') ${following}
           ORDER BY d.asked_at, d.id LIMIT ?`,
          ...valuesOf(after),
          limit,
        )
        .map(decisionFromRow);
    },
    async unsigned({ limit, after }) {
      const following = after === undefined ? "" : "AND (u.since, u.run) > (?, ?)";
      return connection
        .all<{ run: string; since: string }>(
          `SELECT u.run, u.since FROM unsigned_loops u CROSS JOIN runs r ON r.run = u.run
           WHERE r.state = 'finished' ${following} ORDER BY u.since, u.run LIMIT ?`,
          ...valuesOf(after),
          limit,
        )
        .map(({ run, since }) => ({ run: runId(run), since: instant(since) }));
    },
    async keepUnsigned({ run, since }) {
      connection.run(
        "INSERT INTO unsigned_loops (run, since) VALUES (?, ?) ON CONFLICT (run) DO NOTHING",
        run,
        since,
      );
    },
    async settle(run) {
      connection.run("DELETE FROM unsigned_loops WHERE run = ?", run);
    },
    async of(run) {
      return connection
        .all<DecisionRow>(
          `SELECT ${decisionColumns} FROM decisions d WHERE d.run = ? ORDER BY d.asked_at, d.id`,
          run,
        )
        .map(decisionFromRow);
    },
  };
}

function valuesOf(after: InboxPage["after"]): readonly Value[] {
  return after === undefined ? [] : [after.since, after.id];
}
