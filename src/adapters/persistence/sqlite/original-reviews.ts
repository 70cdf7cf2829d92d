import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationError } from "../../../domain/values/workflow-error.ts";
import type { OriginalPair } from "../../../ports/original-reviews.ts";
import { Connection } from "./connection.ts";

/** Reads a store of the original program, in either of its two schemas, without changing it. */
export function readOriginalReviews(path: string): readonly OriginalPair[] {
  if (!existsSync(path)) throw foreign(path, "does not exist");
  if (!isDatabase(path)) throw foreign(path, "is not a SQLite database");
  const connection = new Connection({ path, queryOnly: true });
  try {
    const tables = new Set(
      connection
        .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .map(({ name }) => name),
    );
    if (tables.has("acceptance_events") && tables.has("gate_reviews"))
      return connection.all<OriginalPair>(acceptancesWithReviews);
    if (tables.has("freshness_baselines") && tables.has("review_pairs"))
      return connection
        .all<SnapshotRow>(verdictsWithTexts)
        .map((row) => pairOf(row, dirname(path)));
    throw foreign(path, "is not a review store of the original program");
  } finally {
    connection.close();
  }
}

/** An acknowledgement has no review of its own; the newest review of its pair applies. */
const acceptancesWithReviews = `
  SELECT a.note_path AS notePath, a.gate_id AS gate, a.model_id AS model,
    a.accepted_note_sha AS noteBlob, a.accepted_gate_sha AS gateBlob,
    COALESCE(r.decision, 'unknown') AS decision, COALESCE(r.rationale_markdown, '') AS text,
    a.accepted_at AS at
  FROM acceptance_events a
  LEFT JOIN gate_reviews r ON r.id = COALESCE(a.accepted_review_id, (
    SELECT MAX(o.id) FROM gate_reviews o
    WHERE o.note_path = a.note_path AND o.gate_id = a.gate_id AND o.model_id = a.model_id))
  WHERE a.id = (SELECT MAX(b.id) FROM acceptance_events b
    WHERE b.note_path = a.note_path AND b.gate_id = a.gate_id AND b.model_id = a.model_id)
  ORDER BY a.note_path, a.gate_id, a.model_id`;

interface SnapshotRow extends Omit<OriginalPair, "noteBlob" | "gateBlob" | "text" | "texts"> {
  readonly noteText: string;
  readonly gateText: string;
  readonly job: number;
  readonly ordinal: number;
}

/** The accepted texts, which an acknowledgement updates, not those the verdict was given on. */
const verdictsWithTexts = `
  SELECT p.note_path AS notePath, p.criterion_path AS gate, j.model_partition AS model,
    n.content_text AS noteText, g.content_text AS gateText, p.outcome AS decision,
    b.accepted_at AS at, p.review_job_id AS job, p.pair_ordinal AS ordinal
  FROM freshness_baselines b
  JOIN review_freshness_evidence e ON e.target_id = b.target_id
  JOIN review_pairs p ON p.review_pair_id = e.evidence_review_pair_id
  JOIN review_jobs j ON j.review_job_id = p.review_job_id
  JOIN freshness_inputs ni ON ni.target_id = b.target_id AND ni.input_role = 'note'
  JOIN freshness_inputs ci ON ci.target_id = b.target_id AND ci.input_role = 'criterion'
  JOIN artifact_snapshots n ON n.snapshot_id = ni.accepted_snapshot_id
  JOIN artifact_snapshots g ON g.snapshot_id = ci.accepted_snapshot_id
  WHERE p.outcome IS NOT NULL
  ORDER BY p.note_path, p.criterion_path, j.model_partition`;

/**
 * Later versions of it stored texts and did not use git: the blob ids are computed from the texts. They wrote the reviews
 * to files beside the store.
 */
function pairOf(row: SnapshotRow, folder: string): OriginalPair {
  const { noteText: note, gateText: gate, job, ordinal, ...pair } = row;
  const text = reviewIn(join(folder, "review-jobs", `review-job-${job}`), ordinal);
  return { ...pair, text, noteBlob: blobOf(note), gateBlob: blobOf(gate), texts: { note, gate } };
}

function reviewIn(folder: string, ordinal: number): string {
  if (!existsSync(folder)) return "";
  const name = readdirSync(folder).find(
    (one) => Number(/^pair-(\d+)-.*\.md$/.exec(one)?.[1]) === ordinal,
  );
  return name === undefined ? "" : readFileSync(join(folder, name), "utf8");
}

function blobOf(text: string): string {
  return hash("sha1", `blob ${Buffer.byteLength(text)}\0${text}`);
}

/** Every SQLite file starts with this text; an empty file is a database, too. */
function isDatabase(path: string): boolean {
  const start = readFileSync(path).subarray(0, 16).toString("latin1");
  return start === "" || start === "SQLite format 3\0";
}

function foreign(path: string, what: string): ConfigurationError {
  return new ConfigurationError(`${path} ${what}.`, { code: "import-unreadable", facts: { path } });
}
