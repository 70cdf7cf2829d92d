import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { InboxPage, InboxRepo } from "../../../../ports/repos.ts";
import { type DecisionRow, decisionColumns, decisionFromRow } from "../decisions.ts";
import { all, change, type Value } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

/** CROSS JOIN makes SQLite start with the small table instead of scanning all finished runs. */
export const inboxRepo: UnitsOf<InboxRepo> = {
  *open({ limit, after }) {
    const following = after === undefined ? "" : "AND (d.asked_at, d.id) > (?, ?)";
    return (yield* all<DecisionRow>(
      `SELECT ${decisionColumns} FROM decisions d CROSS JOIN runs r
           WHERE r.run = d.run AND d.answer IS NULL AND r.state NOT IN ('finished', 'cancelled') ${following}
           ORDER BY d.asked_at, d.id LIMIT ?`,
      ...valuesOf(after),
      limit,
    )).map(decisionFromRow);
  },
  *unsigned({ limit, after }) {
    const following = after === undefined ? "" : "AND (u.since, u.run) > (?, ?)";
    const rows = yield* all<{ run: string; since: string }>(
      `SELECT u.run, u.since FROM unsigned_loops u CROSS JOIN runs r
           WHERE r.run = u.run AND r.state = 'finished' ${following} ORDER BY u.since, u.run LIMIT ?`,
      ...valuesOf(after),
      limit,
    );
    return rows.map(({ run, since }) => ({ run: runId(run), since: instant(since) }));
  },
  *keepUnsigned({ run, since }) {
    yield* change(
      "INSERT INTO unsigned_loops (run, since) VALUES (?, ?) ON CONFLICT (run) DO NOTHING",
      run,
      since,
    );
  },
  *settle(run) {
    yield* change("DELETE FROM unsigned_loops WHERE run = ?", run);
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
