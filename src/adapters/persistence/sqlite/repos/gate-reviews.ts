import type { ReviewDecision } from "../../../../domain/gates/decision.ts";
import type { FindingSeverity } from "../../../../domain/gates/findings.ts";
import { runId } from "../../../../domain/values/ids.ts";
import { instant } from "../../../../domain/values/instant.ts";
import type { FindingRow, GateReviewRepo, GateReviewRow } from "../../../../ports/review-repos.ts";
import type { Connection } from "../connection.ts";
import { findText, keepText } from "../texts.ts";
import { next } from "./review-runs.ts";

interface ReviewRow {
  readonly review: string;
  readonly seq: number;
  readonly run: string;
  readonly note_path: string;
  readonly note_blob: string;
  readonly gate_id: string;
  readonly gate_blob: string;
  readonly model: string;
  readonly decision: ReviewDecision;
  readonly summary: string | null;
  readonly body_text: string;
  readonly suggested_revision: string | null;
  readonly reviewed_at: string;
}

interface StoredFinding {
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly quote: string | null;
  readonly line: number | null;
  readonly fingerprint: string;
  readonly survives_rewording: number;
}

const columns = `g.review, g.seq, g.run, g.note_path, g.note_blob, g.gate_id, g.gate_blob, g.model,
  g.decision, g.summary, g.body_text, g.suggested_revision, g.reviewed_at`;
const isLatest = `g.seq = (SELECT MAX(o.seq) FROM gate_reviews o
  WHERE o.note_path = g.note_path AND o.gate_id = g.gate_id AND o.model = g.model)`;

export function gateReviewRepo(connection: Connection): GateReviewRepo {
  const read = (where: string, ...values: string[]) =>
    connection
      .all<ReviewRow>(
        `SELECT ${columns} FROM gate_reviews g WHERE ${where} ORDER BY g.seq`,
        ...values,
      )
      .map((row) => reviewOf(connection, row));
  return {
    async insert(review) {
      connection.run(
        `INSERT INTO gate_reviews (review, seq, run, note_path, note_blob, gate_id, gate_blob, model,
           decision, summary, body_text, suggested_revision, reviewed_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        review.review,
        next(connection, "SELECT MAX(seq) AS last FROM gate_reviews"),
        review.run,
        review.notePath,
        review.noteBlob,
        review.gateId,
        review.gateBlob,
        review.model,
        review.decision,
        review.summary ?? null,
        keepText(connection, review.text),
        review.suggestedRevision ?? null,
        review.at,
      );
      review.findings.forEach((finding, ordinal) => {
        insertFinding(connection, review.review, { finding, ordinal });
      });
    },
    async ofRun(run) {
      return read("g.run = ?", run);
    },
    async ofNote(notePath) {
      return read("g.note_path = ?", notePath);
    },
    async ofUndecidedPairs() {
      return connection
        .all<ReviewRow>(
          `SELECT ${columns} FROM gate_reviews g WHERE (g.note_path, g.gate_id, g.model) IN (
             SELECT note_path, gate_id, model FROM gate_reviews
             WHERE decision IN ('error', 'unknown')) ORDER BY g.seq`,
        )
        .map((row) => ({
          notePath: row.note_path,
          gateId: row.gate_id,
          model: row.model,
          noteBlob: row.note_blob,
          gateBlob: row.gate_blob,
          decision: row.decision,
        }));
    },
    async latestWork() {
      return read(`g.decision IN ('warn', 'fail') AND ${isLatest}`);
    },
    async latest() {
      return read(isLatest);
    },
    async lastSeq() {
      return next(connection, "SELECT MAX(seq) AS last FROM gate_reviews") - 1;
    },
  };
}

function insertFinding(
  connection: Connection,
  review: string,
  { finding, ordinal }: { readonly finding: FindingRow; readonly ordinal: number },
): void {
  connection.run(
    `INSERT INTO findings (review, ordinal, severity, message, quote, line, fingerprint,
       survives_rewording) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    review,
    ordinal,
    finding.severity,
    finding.message,
    finding.quote ?? null,
    finding.line ?? null,
    finding.fingerprint,
    finding.survivesRewording ? 1 : 0,
  );
}

function reviewOf(connection: Connection, row: ReviewRow): GateReviewRow {
  const findings = connection.all<StoredFinding>(
    `SELECT severity, message, quote, line, fingerprint, survives_rewording FROM findings
     WHERE review = ? ORDER BY ordinal`,
    row.review,
  );
  return {
    review: row.review,
    seq: row.seq,
    run: runId(row.run),
    notePath: row.note_path,
    noteBlob: row.note_blob,
    gateId: row.gate_id,
    gateBlob: row.gate_blob,
    model: row.model,
    decision: row.decision,
    text: findText(connection, row.body_text),
    findings: findings.map(findingOf),
    at: instant(row.reviewed_at),
    ...(row.summary === null ? {} : { summary: row.summary }),
    ...(row.suggested_revision === null ? {} : { suggestedRevision: row.suggested_revision }),
  };
}

function findingOf(row: StoredFinding): FindingRow {
  return {
    severity: row.severity,
    message: row.message,
    ...(row.quote === null ? {} : { quote: row.quote }),
    ...(row.line === null ? {} : { line: row.line }),
    fingerprint: row.fingerprint,
    survivesRewording: row.survives_rewording === 1,
  };
}
