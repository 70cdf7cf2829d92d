import { type RunId, runId } from "../../../../domain/values/ids.ts";
import { WorkflowError } from "../../../../domain/values/workflow-error.ts";
import type { RemovalRepo } from "../../../../ports/repos.ts";
import type { Connection } from "../connection.ts";

const unfinishedStates = "('queued', 'running', 'waiting')";
const endedBefore = `t.parent IS NULL AND t.updated_at < ? AND NOT EXISTS (
  SELECT 1 FROM runs r WHERE r.top = t.run AND r.state IN ${unfinishedStates})`;

export function removalRepo(connection: Connection): RemovalRepo {
  return {
    async endedBefore(before, limit) {
      return connection
        .all<{ run: string }>(
          `SELECT t.run FROM runs t WHERE ${endedBefore} ORDER BY t.updated_at, t.run LIMIT ?`,
          before,
          limit,
        )
        .map(({ run }) => runId(run));
    },
    async remove(run) {
      refuseUnlessOver(connection, run);
      removeRun(connection, run);
    },
    async removeEnded(run, before) {
      const sql = `SELECT 1 FROM runs t WHERE ${endedBefore} AND t.run = ?`;
      if (connection.get(sql, before, run) === undefined) return false;
      removeRun(connection, run);
      return true;
    },
    async removeUnnamedTexts() {
      return connection.run(
        `DELETE FROM texts WHERE digest NOT IN (
           SELECT input_text FROM jobs WHERE input_text IS NOT NULL
           UNION SELECT ending_text FROM runs WHERE ending_text IS NOT NULL
           UNION SELECT value_text FROM calls WHERE value_text IS NOT NULL
           UNION SELECT system_text FROM calls WHERE system_text IS NOT NULL
           UNION SELECT prompt_text FROM calls WHERE prompt_text IS NOT NULL
           UNION SELECT data_text FROM events WHERE data_text IS NOT NULL
           UNION SELECT raw_text FROM review_runs WHERE raw_text IS NOT NULL
           UNION SELECT body_text FROM gate_reviews
           UNION SELECT content_text FROM blob_texts)`,
      );
    },
  };
}

function removeRun(connection: Connection, run: RunId): void {
  const jobs = connection.all<{ job: string }>("SELECT job FROM runs WHERE top = ?", run);
  for (const table of ["attempts", "calls", "events", "unsigned_loops"]) {
    connection.run(`DELETE FROM ${table} WHERE run IN (SELECT run FROM runs WHERE top = ?)`, run);
  }
  connection.run("DELETE FROM runs WHERE top = ?", run);
  for (const { job } of jobs) {
    connection.run("DELETE FROM jobs WHERE id = ?", job);
  }
}

function refuseUnlessOver(connection: Connection, run: RunId): void {
  const row = connection.get<{ top: string }>("SELECT top FROM runs WHERE run = ?", run);
  if (row === undefined) {
    throw new WorkflowError(`there is no run ${run}`, { code: "run-unknown", facts: { run } });
  }
  if (row.top !== run) {
    throw new WorkflowError(`run ${run} belongs to ${row.top} and is removed with it`, {
      code: "run-is-child",
      facts: { run, top: row.top },
    });
  }
  const open = connection.get<{ run: string; state: string }>(
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
