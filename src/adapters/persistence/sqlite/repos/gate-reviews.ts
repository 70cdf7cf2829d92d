import type {
  FindingRow,
  GateReviewRepo,
  GateReviewRow,
  PairDecision,
} from "../../../../ports/review-repos.ts";
import type { Connection } from "../connection.ts";
import { insertRow, nextNumber, selectRows } from "../rows.ts";
import { findText, keepText } from "../texts.ts";
import { pairColumns } from "./review-runs.ts";

const columns = `g.review, g.seq, g.run, g.note_path, g.note_blob, g.gate_id, g.gate_blob, g.model,
  g.decision, g.body_text AS text, g.reviewed_at AS at, g.summary, g.suggested_revision`;
const lastSeq = "SELECT MAX(seq) AS last FROM gate_reviews";
const isLatest = `g.seq = (SELECT MAX(o.seq) FROM gate_reviews o
  WHERE o.note_path = g.note_path AND o.gate_id = g.gate_id AND o.model = g.model)`;

export function gateReviewRepo(connection: Connection): GateReviewRepo {
  const read = (where: string, ...values: string[]) =>
    selectRows<Omit<GateReviewRow, "findings">>(
      connection,
      `SELECT ${columns} FROM gate_reviews g WHERE ${where} ORDER BY g.seq`,
      ...values,
    ).map((review) => ({
      ...review,
      text: findText(connection, review.text),
      findings: findingsOf(connection, review.review),
    }));
  return {
    async insert(review) {
      insertRow(connection, "gate_reviews", {
        review: review.review,
        seq: nextNumber(connection, lastSeq),
        run: review.run,
        ...pairColumns(review),
        model: review.model,
        decision: review.decision,
        summary: review.summary,
        body_text: keepText(connection, review.text),
        suggested_revision: review.suggestedRevision,
        reviewed_at: review.at,
      });
      for (const [ordinal, finding] of review.findings.entries()) {
        insertRow(connection, "findings", {
          review: review.review,
          ordinal,
          severity: finding.severity,
          message: finding.message,
          quote: finding.quote,
          line: finding.line,
          fingerprint: finding.fingerprint,
          survives_rewording: finding.survivesRewording ? 1 : 0,
        });
      }
    },
    async ofRun(run) {
      return read("g.run = ?", run);
    },
    async ofNote(notePath) {
      return read("g.note_path = ?", notePath);
    },
    async ofUndecidedPairs() {
      return selectRows<PairDecision>(
        connection,
        `SELECT g.note_path, g.gate_id, g.model, g.note_blob, g.gate_blob, g.decision
         FROM gate_reviews g WHERE (g.note_path, g.gate_id, g.model) IN (
           SELECT note_path, gate_id, model FROM gate_reviews
           WHERE decision IN ('error', 'unknown')) ORDER BY g.seq`,
      );
    },
    async latestWork() {
      return read(`g.decision IN ('warn', 'fail') AND ${isLatest}`);
    },
    async latest() {
      return read(isLatest);
    },
    async lastSeq() {
      return nextNumber(connection, lastSeq) - 1;
    },
    async isReviewedAfter(seq, { notePath, noteBlob, gateId, gateBlob }, { model, askedModel }) {
      // Members of panels share models and judge in roles of their own, so none answers in another's place.
      const found = connection.get(
        `SELECT 1 FROM gate_reviews g JOIN review_runs v ON v.run = g.run
         WHERE g.note_path = ? AND g.gate_id = ? AND g.note_blob = ? AND g.gate_blob = ?
           AND g.seq > ? AND (g.model = ? OR (v.asked_model = ?
             AND ? NOT LIKE 'member/%' AND g.model NOT LIKE 'member/%'))`,
        ...[notePath, gateId, noteBlob, gateBlob, seq, model, askedModel, model],
      );
      return found !== undefined;
    },
  };
}

function findingsOf(connection: Connection, review: string): readonly FindingRow[] {
  return selectRows<Omit<FindingRow, "survivesRewording"> & { survivesRewording: 0 | 1 }>(
    connection,
    `SELECT severity, message, quote, line, fingerprint, survives_rewording FROM findings
     WHERE review = ? ORDER BY ordinal`,
    review,
  ).map((finding) => ({ ...finding, survivesRewording: finding.survivesRewording === 1 }));
}
