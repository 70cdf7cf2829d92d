import type {
  FindingRow,
  GateReviewRepo,
  GateReviewRow,
  PairDecision,
} from "../../../../ports/review-repos.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { findText, keepText } from "../texts.ts";
import { get, together, type Unit } from "../unit.ts";
import { pairColumns } from "./review-runs.ts";
import type { UnitsOf } from "./units-of.ts";

const columns = `g.review, g.seq, g.run, g.note_path, g.note_blob, g.gate_id, g.gate_blob, g.model,
  g.decision, g.body_text AS text, g.reviewed_at AS at, g.summary, g.suggested_revision`;
const lastSeq = "SELECT MAX(seq) AS last FROM gate_reviews";
const isLatest = `g.seq = (SELECT MAX(o.seq) FROM gate_reviews o
  WHERE o.note_path = g.note_path AND o.gate_id = g.gate_id AND o.model = g.model)`;

function* read(where: string, ...values: readonly string[]): Unit<readonly GateReviewRow[]> {
  const reviews = yield* selectRows<Omit<GateReviewRow, "findings">>(
    `SELECT ${columns} FROM gate_reviews g WHERE ${where} ORDER BY g.seq`,
    ...values,
  );
  return yield* together(...reviews.map(whole));
}

function* whole(review: Omit<GateReviewRow, "findings">): Unit<GateReviewRow> {
  const [text, findings] = yield* together(findText(review.text), findingsOf(review.review));
  return { ...review, text, findings };
}

export const gateReviewRepo: UnitsOf<GateReviewRepo> = {
  *insert(review) {
    yield* insertRow("gate_reviews", {
      review: review.review,
      seq: yield* nextNumber(lastSeq),
      run: review.run,
      ...pairColumns(review),
      model: review.model,
      decision: review.decision,
      summary: review.summary,
      body_text: yield* keepText(review.text),
      suggested_revision: review.suggestedRevision,
      reviewed_at: review.at,
    });
    yield* together(
      ...review.findings.map((finding, ordinal) =>
        insertRow("findings", {
          review: review.review,
          ordinal,
          severity: finding.severity,
          message: finding.message,
          quote: finding.quote,
          line: finding.line,
          fingerprint: finding.fingerprint,
          survives_rewording: finding.survivesRewording ? 1 : 0,
        }),
      ),
    );
  },
  *ofRun(run) {
    return yield* read("g.run = ?", run);
  },
  *ofNote(notePath) {
    return yield* read("g.note_path = ?", notePath);
  },
  *ofUndecidedPairs() {
    return yield* selectRows<PairDecision>(`SELECT g.note_path, g.gate_id, g.model, g.note_blob, g.gate_blob, g.decision
         FROM gate_reviews g WHERE (g.note_path, g.gate_id, g.model) IN (
           SELECT note_path, gate_id, model FROM gate_reviews
           WHERE decision IN ('error', 'unknown')) ORDER BY g.seq`);
  },
  *latestWork() {
    return yield* read(`g.decision IN ('warn', 'fail') AND ${isLatest}`);
  },
  *latest() {
    return yield* read(isLatest);
  },
  *lastSeq() {
    return (yield* nextNumber(lastSeq)) - 1;
  },
  *isReviewedAfter(seq, { notePath, noteBlob, gateId, gateBlob }, { model, askedModel }) {
    // Members of panels share models and judge in roles of their own, so none answers in another's place.
    const found = yield* get(
      `SELECT 1 AS found FROM gate_reviews g JOIN review_runs v ON v.run = g.run
         WHERE g.note_path = ? AND g.gate_id = ? AND g.note_blob = ? AND g.gate_blob = ?
           AND g.seq > ? AND (g.model = ? OR (v.asked_model = ?
             AND ? NOT LIKE 'member/%' AND g.model NOT LIKE 'member/%'))`,
      ...[notePath, gateId, noteBlob, gateBlob, seq, model, askedModel, model],
    );
    return found !== undefined;
  },
};

function* findingsOf(review: string): Unit<readonly FindingRow[]> {
  const rows = yield* selectRows<
    Omit<FindingRow, "survivesRewording"> & { survivesRewording: 0 | 1 }
  >(
    `SELECT severity, message, quote, line, fingerprint, survives_rewording FROM findings
     WHERE review = ? ORDER BY ordinal`,
    review,
  );
  return rows.map((row) => ({ ...row, survivesRewording: row.survivesRewording === 1 }));
}
