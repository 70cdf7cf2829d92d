import { type RunId, runId } from "../../../../domain/values/ids.ts";
import { WorkflowError } from "../../../../domain/values/workflow-error.ts";
import type { RemovalRepo } from "../../../../ports/repos.ts";
import { textColumns } from "../find-damage.ts";
import { textsLock } from "../texts.ts";
import { all, allLocked, change, get, lock, together, type Unit } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

const namedTexts = textColumns
  .map(([table, column]) => `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
  .join(" UNION ");
const unfinishedStates = "('queued', 'running', 'waiting')";
const endedBefore = `t.parent IS NULL AND t.updated_at < ? AND NOT EXISTS (
  SELECT 1 FROM runs r WHERE r.top = t.run AND r.state IN ${unfinishedStates})`;

export const removalRepo: UnitsOf<RemovalRepo> = {
  *endedBefore(before, limit) {
    return (yield* all<{ run: string }>(
      `SELECT t.run FROM runs t WHERE ${endedBefore} ORDER BY t.updated_at, t.run LIMIT ?`,
      before,
      limit,
    )).map(({ run }) => runId(run));
  },
  *remove(run) {
    yield* lockFamily(run);
    yield* refuseUnlessOver(run);
    yield* removeRun(run);
  },
  *removeEnded(run, before) {
    const sql = `SELECT 1 AS found FROM runs t WHERE ${endedBefore} AND t.run = ?`;
    yield* lockFamily(run);
    if ((yield* get(sql, before, run)) === undefined) return false;
    yield* removeRun(run);
    return true;
  },
  *removeUnnamedTexts() {
    yield* lock(textsLock);
    return yield* change(`DELETE FROM texts WHERE digest NOT IN (${namedTexts})`);
  },
};

/** Nobody reopens or resumes one of them before this transaction ends; children first, as every writer does. */
function* lockFamily(top: RunId): Unit<void> {
  const order = "CASE WHEN r.run = r.top THEN 1 ELSE 0 END, r.run";
  yield* allLocked("r", `SELECT r.run FROM runs r WHERE r.top = ? ORDER BY ${order}`, top);
}

function* removeRun(run: RunId): Unit<void> {
  const jobs = yield* all<{ job: string }>("SELECT job FROM runs WHERE top = ?", run);
  for (const table of ["attempts", "calls", "events", "unsigned_loops"]) {
    yield* change(`DELETE FROM ${table} WHERE run IN (SELECT run FROM runs WHERE top = ?)`, run);
  }
  yield* change(
    "DELETE FROM run_lines WHERE (created_at, run) IN (SELECT created_at, run FROM runs WHERE top = ?)",
    run,
  );
  yield* change("DELETE FROM runs WHERE top = ?", run);
  yield* together(...jobs.map(({ job }) => change("DELETE FROM jobs WHERE id = ?", job)));
}

function* refuseUnlessOver(run: RunId): Unit<void> {
  const row = yield* get<{ top: string }>("SELECT top FROM runs WHERE run = ?", run);
  if (row === undefined) {
    throw new WorkflowError(`there is no run ${run}`, { code: "run-unknown", facts: { run } });
  }
  if (row.top !== run) {
    throw new WorkflowError(`run ${run} belongs to ${row.top} and is removed with it`, {
      code: "run-is-child",
      facts: { run, top: row.top },
    });
  }
  const open = yield* get<{ run: string; state: string }>(
    `SELECT run, state FROM runs WHERE top = ? AND state IN ${unfinishedStates} ORDER BY run LIMIT 1`,
    run,
  );
  if (open !== undefined) {
    throw new WorkflowError(`run ${open.run} is ${open.state} and cannot be removed`, {
      code: "run-not-over",
      facts: { run: open.run, state: open.state },
      hint: "Cancel it first, or wait until it has ended.",
    });
  }
}
