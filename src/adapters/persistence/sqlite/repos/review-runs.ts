import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type {
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

interface PairRow {
  readonly ordinal: number;
  readonly note_path: string;
  readonly note_blob: string;
  readonly note_commit: string | null;
  readonly gate_id: string;
  readonly gate_blob: string;
}

const selectRun = `SELECT run, number, plan, shape, model, asked_model, answered_model, state, reason,
  format, batch, raw_text, created_at, finished_at FROM review_runs`;

const lastRun = "SELECT MAX(number) AS last FROM review_runs";

export function reviewRunRepo(connection: Connection): ReviewRunRepo {
  const end = (state: "completed" | "failed"): string =>
    `UPDATE review_runs SET state = '${state}', reason = ?, answered_model = ?, raw_text = ?,
       finished_at = ? WHERE run = ? AND state IN ('running', 'waiting')`;
  const one = (row: RunRow | undefined) => (row === undefined ? undefined : runOf(connection, row));
  return {
    async insert(run) {
      const number = next(connection, lastRun);
      connection.run(
        `INSERT INTO review_runs (run, number, plan, shape, model, asked_model, state, format, batch,
           created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        run.run,
        number,
        run.plan,
        run.shape,
        run.model,
        run.askedModel,
        run.state,
        run.format,
        run.batch ?? null,
        run.createdAt,
      );
      return number;
    },
    async find(run) {
      return one(connection.get<RunRow>(`${selectRun} WHERE run = ?`, run));
    },
    async byNumber(number) {
      return one(connection.get<RunRow>(`${selectRun} WHERE number = ?`, number));
    },
    async ofPlan(plan) {
      return connection
        .all<RunRow>(`${selectRun} WHERE plan = ? ORDER BY number`, plan)
        .map((row) => runOf(connection, row));
    },
    async lastNumber() {
      return last(connection, lastRun);
    },
    async open() {
      return connection
        .all<RunRow>(`${selectRun} WHERE state IN ('running', 'waiting') ORDER BY number`)
        .map((row) => runOf(connection, row));
    },
    async complete(run, { answeredModel, rawText, at }) {
      const raw = rawText === undefined ? null : keepText(connection, rawText);
      connection.run(end("completed"), null, answeredModel ?? null, raw, at, run);
    },
    async fail(run, reason, { answeredModel, rawText, at }) {
      const raw = rawText === undefined ? null : keepText(connection, rawText);
      connection.run(end("failed"), reason, answeredModel ?? null, raw, at, run);
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
  return last(connection, selectLast) + 1;
}

function last(connection: Connection, selectLast: string): number {
  return connection.get<{ last: number | null }>(selectLast)?.last ?? 0;
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
