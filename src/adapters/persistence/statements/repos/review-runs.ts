import type { RunId } from "../../../../domain/values/ids.ts";
import type {
  BatchTally,
  ReviewRunEnd,
  ReviewRunRepo,
  ReviewRunRow,
  RunGateRepo,
  RunPairRow,
} from "../../../../ports/review-repos.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { findText, keepText } from "../texts.ts";
import { change, get, together, type Unit, type Value } from "../unit.ts";
import type { UnitsOf } from "./units-of.ts";

/** For a run that was never filed, the run store says whether and why it was cancelled. */
const selectRun = `SELECT v.run, v.number, v.plan, v.shape, v.model, v.asked_model,
  CASE WHEN v.reason IS NOT NULL THEN 'failed' WHEN v.finished_at IS NOT NULL THEN 'completed'
    WHEN r.state = 'cancelled' THEN 'failed' WHEN r.state = 'waiting' THEN 'waiting'
    ELSE 'running' END AS state,
  v.format, v.created_at, v.answered_model,
  COALESCE(v.reason, CASE WHEN r.state = 'cancelled' THEN r.cancel_reason END) AS reason,
  v.batch, v.raw_text, v.finished_at
  FROM review_runs v LEFT JOIN runs r ON r.run = v.run`;

function* read(where: string, ...values: readonly Value[]): Unit<readonly ReviewRunRow[]> {
  const sql = `${selectRun} WHERE ${where} ORDER BY v.number`;
  const rows = yield* selectRows<ReviewRunRow>(sql, ...values);
  return yield* together(...rows.map(withRawText));
}

function* withRawText(run: ReviewRunRow): Unit<ReviewRunRow> {
  return run.rawText === undefined ? run : { ...run, rawText: yield* findText(run.rawText) };
}

function* end(
  run: string,
  reason: string | null,
  { answeredModel, rawText, at }: ReviewRunEnd,
): Unit<void> {
  yield* change(
    `UPDATE review_runs SET reason = ?, answered_model = ?, raw_text = ?, finished_at = ?
     WHERE run = ? AND finished_at IS NULL`,
    reason,
    answeredModel ?? null,
    rawText === undefined ? null : yield* keepText(rawText),
    at,
    run,
  );
}

export const reviewRunRepo: UnitsOf<ReviewRunRepo> = {
  *insert(run) {
    const number = yield* nextNumber("SELECT MAX(number) AS last FROM review_runs");
    yield* insertRow("review_runs", {
      run: run.run,
      number,
      plan: run.plan,
      shape: run.shape,
      model: run.model,
      asked_model: run.askedModel,
      format: run.format,
      batch: run.batch,
      moves_seen:
        run.movesSeen ?? (yield* nextNumber("SELECT MAX(seq) AS last FROM note_moves")) - 1,
      created_at: run.createdAt,
    });
    return number;
  },
  *find(run) {
    return (yield* read("v.run = ?", run))[0];
  },
  *byNumber(number) {
    return (yield* read("v.number = ?", number))[0];
  },
  *ofPlan(plan) {
    return yield* read("v.plan = ?", plan);
  },
  *open() {
    return yield* read("v.finished_at IS NULL AND COALESCE(r.state, '') <> 'cancelled'");
  },
  *tallyOf(batch) {
    return yield* selectRows<BatchTally>(
      `SELECT asked_model, answered_model,
           CASE WHEN finished_at IS NULL THEN 'open' WHEN reason IS NULL THEN 'completed'
             ELSE 'failed' END AS outcome, COUNT(*) AS runs
         FROM review_runs WHERE batch = ?
         GROUP BY asked_model, answered_model, outcome
         ORDER BY asked_model, COALESCE(answered_model, ''), outcome`,
      batch,
    );
  },
  *failedOf(batch) {
    return yield* read("v.batch = ? AND v.reason IS NOT NULL", batch);
  },
  *complete(run, how) {
    yield* end(run, null, how);
  },
  *fail(run, reason, how) {
    yield* end(run, reason, how);
  },
  *rekeyModel(run, model) {
    yield* change("UPDATE review_runs SET model = ? WHERE run = ?", model, run);
    yield* change("UPDATE gate_reviews SET model = ? WHERE run = ?", model, run);
  },
};

export const runGateRepo: UnitsOf<RunGateRepo> = {
  *insertMany(run, pairs) {
    yield* together(
      ...pairs.map((pair) =>
        insertRow("review_run_gates", {
          run,
          ordinal: pair.ordinal,
          ...pairColumns(pair),
          note_commit: pair.noteCommit,
          asked_path: pair.askedPath,
        }),
      ),
    );
  },
  *of(run) {
    return yield* selectRows<RunPairRow>(
      `SELECT ordinal, note_path, note_blob, note_commit, gate_id, gate_blob, asked_path
         FROM review_run_gates WHERE run = ? ORDER BY ordinal`,
      run,
    );
  },
  *clear(run) {
    yield* change("DELETE FROM review_run_gates WHERE run = ?", run);
  },
  *unfiledNotes() {
    return yield* selectRows(`SELECT DISTINCT g.note_path, g.note_blob FROM review_runs v JOIN review_run_gates g
         ON g.run = v.run WHERE v.finished_at IS NULL`);
  },
  *claim(run) {
    yield* change("UPDATE review_run_gates SET is_claimed = 1 WHERE run = ?", run);
  },
  *giveUp(run) {
    yield* change("UPDATE review_run_gates SET is_claimed = 0 WHERE run = ?", run);
  },
  *hasGivenUp(batch) {
    const found = yield* get(
      `SELECT 1 AS found FROM review_runs v JOIN review_run_gates g ON g.run = v.run
         WHERE v.batch = ? AND v.finished_at IS NULL AND g.is_claimed = 0`,
      batch,
    );
    return found !== undefined;
  },
  *claimedBy({ notePath, noteBlob, gateId, gateBlob }, model) {
    const claim = yield* get<{ run: RunId }>(
      `SELECT g.run FROM review_run_gates g JOIN review_runs v ON v.run = g.run
         WHERE g.note_path = ? AND g.note_blob = ? AND g.gate_id = ? AND g.gate_blob = ?
           AND g.is_claimed = 1 AND v.model = ? AND v.finished_at IS NULL`,
      ...[notePath, noteBlob, gateId, gateBlob, model],
    );
    return claim?.run;
  },
};

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
