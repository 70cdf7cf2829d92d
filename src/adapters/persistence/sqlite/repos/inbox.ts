import type { InboxRepo } from "../../../../ports/repos.ts";
import type { Connection, Value } from "../connection.ts";
import { type DecisionRow, decisionColumns, decisionOf } from "../decisions.ts";

export function inboxRepo(connection: Connection): InboxRepo {
  return {
    async open({ limit, after }) {
      const values: Value[] = after === undefined ? [] : [after.askedAt, after.id];
      const following = after === undefined ? "" : "AND (d.asked_at, d.id) > (?, ?)";
      return connection
        .all<DecisionRow>(
          `SELECT ${decisionColumns} FROM decisions d JOIN runs r ON r.run = d.run
           WHERE d.answer IS NULL AND r.state NOT IN ('finished', 'cancelled') ${following}
           ORDER BY d.asked_at, d.id LIMIT ?`,
          ...values,
          limit,
        )
        .map(decisionOf);
    },
    async of(run) {
      return connection
        .all<DecisionRow>(
          `SELECT ${decisionColumns} FROM decisions d WHERE d.run = ? ORDER BY d.asked_at, d.id`,
          run,
        )
        .map(decisionOf);
    },
  };
}
