import type { RunId } from "../../../../domain/values/ids.ts";
import type {
  BatchTally,
  ReviewRunEnd,
  ReviewRunRepo,
  ReviewRunRow,
  RunGateRepo,
  RunPairRow,
} from "../../../../ports/review-repos.ts";
import type { Connection, Value } from "../connection.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { findText, keepText } from "../texts.ts";

/** For a run that was never filed, the run store says whether and why it was cancelled. */
const selectRun = `SELECT v.run, v.number, v.plan, v.shape, v.model, v.asked_model,
  CASE WHEN v.reason IS NOT NULL THEN 'failed' WHEN v.finished_at IS NOT NULL THEN 'completed'
    WHEN r.state = 'cancelled' THEN 'failed' WHEN r.state = 'waiting' THEN 'waiting'
    ELSE 'running' END AS state,
  v.format, v.created_at, v.answered_model,
  COALESCE(v.reason, CASE WHEN r.state = 'cancelled' THEN r.cancel_reason END) AS reason,
  v.batch, v.raw_text, v.finished_at
  FROM review_runs v LEFT JOIN runs r ON r.run = v.run`;

export function reviewRunRepo(connection: Connection): ReviewRunRepo {
  const read = (where: string, ...values: Value[]): readonly ReviewRunRow[] =>
    selectRows<ReviewRunRow>(
      connection,
      `${selectRun} WHERE ${where} ORDER BY v.number`,
      ...values,
    ).map((run) =>
      run.rawText === undefined ? run : { ...run, rawText: findText(connection, run.rawText) },
    );
  const end = (
    run: string,
    reason: string | null,
    { answeredModel, rawText, at }: ReviewRunEnd,
  ) => {
    connection.run(
      `UPDATE review_runs SET reason = ?, answered_model = ?, raw_text = ?, finished_at = ?
       WHERE run = ? AND finished_at IS NULL`,
      reason,
      answeredModel ?? null,
      rawText === undefined ? null : keepText(connection, rawText),
      at,
      run,
    );
  };
  return {
    async insert(run) {
      const number = nextNumber(connection, "SELECT MAX(number) AS last FROM review_runs");
      insertRow(connection, "review_runs", {
        run: run.run,
        number,
        plan: run.plan,
        shape: run.shape,
        model: run.model,
        asked_model: run.askedModel,
        format: run.format,
        batch: run.batch,
        moves_seen:
          run.movesSeen ?? nextNumber(connection, "SELECT MAX(seq) AS last FROM note_moves") - 1,
        created_at: run.createdAt,
      });
      return number;
    },
    async find(run) {
      return read("v.run = ?", run)[0];
    },
    async byNumber(number) {
      return read("v.number = ?", number)[0];
    },
    async ofPlan(plan) {
      return read("v.plan = ?", plan);
    },
    async open() {
      return read("v.finished_at IS NULL AND COALESCE(r.state, '') <> 'cancelled'");
    },
    async tallyOf(batch) {
      return selectRows<BatchTally>(
        connection,
        `SELECT asked_model, answered_model,
           CASE WHEN finished_at IS NULL THEN 'open' WHEN reason IS NULL THEN 'completed'
             ELSE 'failed' END AS outcome, COUNT(*) AS runs
         FROM review_runs WHERE batch = ?
         GROUP BY asked_model, answered_model, outcome ORDER BY 1, 2, 3`,
        batch,
      );
    },
    async failedOf(batch) {
      return read("v.batch = ? AND v.reason IS NOT NULL", batch);
    },
    async complete(run, how) {
      end(run, null, how);
    },
    async fail(run, reason, how) {
      end(run, reason, how);
    },
    async rekeyModel(run, model) {
      connection.run("UPDATE review_runs SET model = ? WHERE run = ?", model, run);
      connection.run("UPDATE gate_reviews SET model = ? WHERE run = ?", model, run);
    },
  };
}

export function runGateRepo(connection: Connection): RunGateRepo {
  return {
    async insertMany(run, pairs) {
      for (const pair of pairs) {
        const { ordinal, noteCommit, askedPath } = pair;
        const row = { run, ordinal, ...pairColumns(pair), note_commit: noteCommit };
        insertRow(connection, "review_run_gates", { ...row, asked_path: askedPath });
      }
    },
    async of(run) {
      return selectRows<RunPairRow>(
        connection,
        `SELECT ordinal, note_path, note_blob, note_commit, gate_id, gate_blob, asked_path
         FROM review_run_gates WHERE run = ? ORDER BY ordinal`,
        run,
      );
    },
    async clear(run) {
      connection.run("DELETE FROM review_run_gates WHERE run = ?", run);
    },
    async unfiledNotes() {
      return selectRows(
        connection,
        `SELECT DISTINCT g.note_path, g.note_blob FROM review_runs v JOIN review_run_gates g
         ON g.run = v.run WHERE v.finished_at IS NULL`,
      );
    },
    async claim(run) {
      connection.run("UPDATE review_run_gates SET is_claimed = 1 WHERE run = ?", run);
    },
    async giveUp(run) {
      connection.run("UPDATE review_run_gates SET is_claimed = 0 WHERE run = ?", run);
    },
    async hasGivenUp(batch) {
      const found = connection.get(
        `SELECT 1 FROM review_runs v JOIN review_run_gates g ON g.run = v.run
         WHERE v.batch = ? AND v.finished_at IS NULL AND g.is_claimed = 0`,
        batch,
      );
      return found !== undefined;
    },
    async claimedBy({ notePath, noteBlob, gateId, gateBlob }, model) {
      return connection.get<{ run: RunId }>(
        `SELECT g.run FROM review_run_gates g JOIN review_runs v ON v.run = g.run
         WHERE g.note_path = ? AND g.note_blob = ? AND g.gate_id = ? AND g.gate_blob = ?
           AND g.is_claimed = 1 AND v.model = ? AND v.finished_at IS NULL`,
        ...[notePath, noteBlob, gateId, gateBlob, model],
      )?.run;
    },
  };
}

/** The versions of note and gate, as every table of reviews names them. */
export function pairColumns(
  pair: Pick<RunPairRow, "notePath" | "noteBlob" | "gateId" | "gateBlob">,
) {
  return {
    note_path: pair.notePath,
    note_blob: pair.noteBlob,
    gate_id: pair.gateId,
    gate_blob: pair.gateBlob,
  };
}
