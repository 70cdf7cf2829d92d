import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type {
  BatchTally,
  ReviewRunRepo,
  ReviewRunRow,
  ReviewRunState,
  RunGateRepo,
  RunPairRow,
} from "../../../../ports/review-repos.ts";
import type { Connection } from "../connection.ts";
import { findText, keepText } from "../texts.ts";

interface RunRow {
  readonly run: string;
  readonly number: number;
  readonly plan: string;
  readonly shape: ReviewRunRow["shape"];
  readonly model: string;
  readonly asked_model: string;
  readonly answered_model: string | null;
  readonly state: ReviewRunState;
  readonly reason: string | null;
  readonly format: string;
  readonly batch: string | null;
  readonly raw_text: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

interface TallyRow {
  readonly asked_model: string;
  readonly answered_model: string | null;
  readonly outcome: BatchTally["outcome"];
  readonly runs: number;
}

interface PairRow {
  readonly ordinal: number;
  readonly note_path: string;
  readonly note_blob: string;
  readonly note_commit: string | null;
  readonly gate_id: string;
  readonly gate_blob: string;
}

/** What a cancelled run was is said by the run store, like everything that was never filed. */
const selectRun = `SELECT v.run, v.number, v.plan, v.shape, v.model, v.asked_model, v.answered_model,
  COALESCE(v.reason, CASE WHEN r.state = 'cancelled' THEN r.cancel_reason END) AS reason,
  CASE WHEN v.reason IS NOT NULL THEN 'failed' WHEN v.finished_at IS NOT NULL THEN 'completed'
    WHEN r.state = 'cancelled' THEN 'failed' WHEN r.state = 'waiting' THEN 'waiting'
    ELSE 'running' END AS state,
  v.format, v.batch, v.raw_text, v.created_at, v.finished_at
  FROM review_runs v LEFT JOIN runs r ON r.run = v.run`;

const lastRun = "SELECT MAX(number) AS last FROM review_runs";

export function reviewRunRepo(connection: Connection): ReviewRunRepo {
  const end = `UPDATE review_runs SET reason = ?, answered_model = ?, raw_text = ?, finished_at = ?
     WHERE run = ? AND finished_at IS NULL`;
  const one = (row: RunRow | undefined) => (row === undefined ? undefined : runOf(connection, row));
  return {
    async insert(run) {
      const number = next(connection, lastRun);
      connection.run(
        `INSERT INTO review_runs (run, number, plan, shape, model, asked_model, format, batch,
           created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        run.run,
        number,
        run.plan,
        run.shape,
        run.model,
        run.askedModel,
        run.format,
        run.batch ?? null,
        run.createdAt,
      );
      return number;
    },
    async find(run) {
      return one(connection.get<RunRow>(`${selectRun} WHERE v.run = ?`, run));
    },
    async byNumber(number) {
      return one(connection.get<RunRow>(`${selectRun} WHERE v.number = ?`, number));
    },
    async ofPlan(plan) {
      return connection
        .all<RunRow>(`${selectRun} WHERE v.plan = ? ORDER BY v.number`, plan)
        .map((row) => runOf(connection, row));
    },
    async open() {
      return connection
        .all<RunRow>(
          `${selectRun} WHERE v.finished_at IS NULL AND COALESCE(r.state, '') <> 'cancelled'
           ORDER BY v.number`,
        )
        .map((row) => runOf(connection, row));
    },
    async tallyOf(batch) {
      return connection
        .all<TallyRow>(
          `SELECT asked_model, answered_model,
             CASE WHEN finished_at IS NULL THEN 'open' WHEN reason IS NULL THEN 'completed'
               ELSE 'failed' END AS outcome, COUNT(*) AS runs
           FROM review_runs WHERE batch = ?
           GROUP BY asked_model, answered_model, outcome ORDER BY 1, 2, 3`,
          batch,
        )
        .map(({ asked_model, answered_model, outcome, runs }) => ({
          askedModel: asked_model,
          ...(answered_model === null ? {} : { answeredModel: answered_model }),
          outcome,
          runs,
        }));
    },
    async failedOf(batch) {
      return connection
        .all<RunRow>(
          `${selectRun} WHERE v.batch = ? AND v.reason IS NOT NULL ORDER BY v.number`,
          batch,
        )
        .map((row) => runOf(connection, row));
    },
    async complete(run, { answeredModel, rawText, at }) {
      const raw = rawText === undefined ? null : keepText(connection, rawText);
      connection.run(end, null, answeredModel ?? null, raw, at, run);
    },
    async fail(run, reason, { answeredModel, rawText, at }) {
      const raw = rawText === undefined ? null : keepText(connection, rawText);
      connection.run(end, reason, answeredModel ?? null, raw, at, run);
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
        connection.run(
          `INSERT INTO review_run_gates (run, ordinal, note_path, note_blob, note_commit, gate_id,
             gate_blob) VALUES (?, ?, ?, ?, ?, ?, ?)`,
          run,
          pair.ordinal,
          pair.notePath,
          pair.noteBlob,
          pair.noteCommit ?? null,
          pair.gateId,
          pair.gateBlob,
        );
      }
    },
    async of(run) {
      return connection
        .all<PairRow>(
          `SELECT ordinal, note_path, note_blob, note_commit, gate_id, gate_blob
           FROM review_run_gates WHERE run = ? ORDER BY ordinal`,
          run,
        )
        .map(pairOf);
    },
  };
}

/** The number after the last; the caller's transaction keeps others from taking the same. */
export function next(connection: Connection, selectLast: string): number {
  return (connection.get<{ last: number | null }>(selectLast)?.last ?? 0) + 1;
}

function runOf(connection: Connection, row: RunRow): ReviewRunRow {
  return {
    run: runId(row.run),
    number: row.number,
    plan: row.plan,
    shape: row.shape,
    model: row.model,
    askedModel: row.asked_model,
    state: row.state,
    format: row.format,
    createdAt: instant(row.created_at),
    ...(row.answered_model === null ? {} : { answeredModel: row.answered_model }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.batch === null ? {} : { batch: row.batch }),
    ...(row.raw_text === null ? {} : { rawText: findText(connection, row.raw_text) }),
    ...(row.finished_at === null ? {} : { finishedAt: instant(row.finished_at) }),
  };
}

function pairOf(row: PairRow): RunPairRow {
  return {
    ordinal: row.ordinal,
    notePath: row.note_path,
    noteBlob: row.note_blob,
    ...(row.note_commit === null ? {} : { noteCommit: row.note_commit }),
    gateId: row.gate_id,
    gateBlob: row.gate_blob,
  };
}
