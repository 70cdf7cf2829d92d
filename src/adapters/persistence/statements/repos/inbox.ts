import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { InboxPage, InboxRepo } from "../../../../ports/repos.ts";
import { type DecisionRow, decisionColumns, decisionFromRow } from "../decisions.ts";
import { outdateLine } from "../run-rows.ts";
import { all, change, get, together, type Value } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

// CROSS JOIN makes SQLite start with the small table instead of scanning all finished runs.
const fromOpen = `FROM decisions d CROSS JOIN runs r
  WHERE r.run = d.run AND d.answer IS NULL AND r.state NOT IN ('finished', 'cancelled')`;
const fromUnsigned = `FROM unsigned_loops u CROSS JOIN runs r
  WHERE r.run = u.run AND r.state = 'finished'`;

export const inboxRepo: UnitsOf<InboxRepo> = {
  *open({ limit, after }) {
    const following = after === undefined ? "" : "AND (d.asked_at, d.id) > (?, ?)";
    return (yield* all<DecisionRow>(
      `SELECT ${decisionColumns} ${fromOpen} ${following}
           ORDER BY d.asked_at, d.id LIMIT ?`,
      ...valuesOf(after),
      limit,
    )).map(decisionFromRow);
  },
  *unsigned({ limit, after }) {
    const following = after === undefined ? "" : "AND (u.since, u.run) > (?, ?)";
    const rows = yield* all<{ run: string; since: string }>(
      `SELECT u.run, u.since ${fromUnsigned} ${following} ORDER BY u.since, u.run LIMIT ?`,
      ...valuesOf(after),
      limit,
    );
    return rows.map(({ run, since }) => ({ run: runId(run), since: instant(since) }));
  },
  *count() {
    const [questions, loops] = yield* together(
      get<{ count: number }>(`SELECT COUNT(*) AS count ${fromOpen}`),
      get<{ count: number }>(`SELECT COUNT(*) AS count ${fromUnsigned}`),
    );
    return (questions?.count ?? 0) + (loops?.count ?? 0);
  },
  *keepUnsigned({ run, since }) {
    yield* change(
      "INSERT INTO unsigned_loops (run, since) VALUES (?, ?) ON CONFLICT (run) DO NOTHING",
      run,
      since,
    );
    yield* outdateLine(run);
  },
  *settle(run) {
    yield* change("DELETE FROM unsigned_loops WHERE run = ?", run);
    yield* outdateLine(run);
  },
  *isUnsigned(run) {
    return (yield* get("SELECT 1 AS found FROM unsigned_loops WHERE run = ?", run)) !== undefined;
  },
  *of(run) {
    return (yield* all<DecisionRow>(
      `SELECT ${decisionColumns} FROM decisions d WHERE d.run = ? ORDER BY d.asked_at, d.id`,
      run,
    )).map(decisionFromRow);
  },
};

function valuesOf(after: InboxPage["after"]): readonly Value[] {
  return after === undefined ? [] : [after.since, after.id];
}
