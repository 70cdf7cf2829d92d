import Database from "better-sqlite3";

/** The tables of the original program's first schema, with the columns and checks it had. */
const firstSchema = `
  CREATE TABLE review_runs (id INTEGER PRIMARY KEY, note_path TEXT NOT NULL, model_id TEXT NOT NULL,
    runner TEXT NOT NULL, reviewed_note_sha TEXT NOT NULL, reviewed_note_commit TEXT,
    started_at TEXT NOT NULL, completed_at TEXT,
    status TEXT NOT NULL CHECK (status IN ('running', 'completed', 'failed')), failure_reason TEXT,
    telemetry_json TEXT, raw_bundle_markdown TEXT, debug_log TEXT);
  CREATE TABLE review_run_gates (review_run_id INTEGER NOT NULL REFERENCES review_runs (id) ON DELETE CASCADE,
    gate_id TEXT NOT NULL, gate_sha TEXT NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY (review_run_id, gate_id));
  CREATE TABLE gate_reviews (id INTEGER PRIMARY KEY,
    review_run_id INTEGER REFERENCES review_runs (id) ON DELETE CASCADE, note_path TEXT NOT NULL,
    gate_id TEXT NOT NULL, model_id TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('pass', 'warn', 'fail', 'error', 'unknown')),
    rationale_markdown TEXT NOT NULL, evidence_json TEXT, gate_sha TEXT NOT NULL,
    reviewed_note_sha TEXT NOT NULL, reviewed_note_commit TEXT, reviewed_at TEXT NOT NULL,
    review_kind TEXT NOT NULL CHECK (review_kind IN ('full-review', 'manual-import')));
  CREATE UNIQUE INDEX gate_reviews_run ON gate_reviews (review_run_id, gate_id)
    WHERE review_run_id IS NOT NULL;
  CREATE TABLE acceptance_events (id INTEGER PRIMARY KEY, note_path TEXT NOT NULL, gate_id TEXT NOT NULL,
    model_id TEXT NOT NULL, accepted_review_id INTEGER REFERENCES gate_reviews (id) ON DELETE SET NULL,
    accepted_note_sha TEXT NOT NULL, accepted_note_commit TEXT, accepted_gate_sha TEXT NOT NULL,
    accepted_at TEXT NOT NULL, acceptance_kind TEXT NOT NULL CHECK (acceptance_kind IN
      ('full-review', 'gate-migration', 'trivial-change-ack', 'migration-import', 'manual-override')));
  CREATE VIEW current_gate_acceptances AS SELECT a.* FROM acceptance_events a WHERE a.id =
    (SELECT MAX(b.id) FROM acceptance_events b WHERE b.note_path = a.note_path
      AND b.gate_id = a.gate_id AND b.model_id = a.model_id);
  CREATE VIEW stale_gate_pairs AS SELECT * FROM current_gate_acceptances;`;

/** Its later schema: texts instead of git, one current baseline per pair instead of events. */
const laterSchema = `
  PRAGMA user_version = 3;
  CREATE TABLE artifact_snapshots (snapshot_id INTEGER PRIMARY KEY, artifact_path TEXT NOT NULL,
    version_kind TEXT NOT NULL CHECK (version_kind = 'file-text'), content_sha256 TEXT NOT NULL,
    content_text TEXT NOT NULL, captured_at TEXT NOT NULL,
    UNIQUE (artifact_path, version_kind, content_sha256));
  CREATE TABLE freshness_baselines (target_id INTEGER PRIMARY KEY, target_kind TEXT NOT NULL,
    target_key_json TEXT NOT NULL, revision INTEGER NOT NULL CHECK (revision >= 1),
    accepted_at TEXT NOT NULL, UNIQUE (target_kind, target_key_json));
  CREATE TABLE freshness_target_generations (target_kind TEXT NOT NULL, target_key_json TEXT NOT NULL,
    next_revision INTEGER NOT NULL, PRIMARY KEY (target_kind, target_key_json));
  CREATE TABLE freshness_inputs (target_id INTEGER NOT NULL REFERENCES freshness_baselines (target_id),
    input_role TEXT NOT NULL CHECK (input_role IN ('note', 'criterion')), artifact_path TEXT NOT NULL,
    version_kind TEXT NOT NULL,
    accepted_snapshot_id INTEGER NOT NULL REFERENCES artifact_snapshots (snapshot_id),
    PRIMARY KEY (target_id, input_role));
  CREATE TABLE review_jobs (review_job_id INTEGER PRIMARY KEY, model_partition TEXT NOT NULL,
    runner TEXT NOT NULL, runner_model TEXT, runner_effort TEXT, created_at TEXT NOT NULL,
    completed_at TEXT, status TEXT NOT NULL CHECK (status IN ('queued', 'completed', 'failed')),
    failure_reason TEXT, telemetry_json TEXT,
    grouping TEXT NOT NULL CHECK (grouping IN ('note', 'criterion')));
  CREATE TABLE review_pairs (review_pair_id INTEGER PRIMARY KEY,
    review_job_id INTEGER NOT NULL REFERENCES review_jobs (review_job_id), note_path TEXT NOT NULL,
    criterion_path TEXT NOT NULL, pair_ordinal INTEGER NOT NULL,
    result_kind TEXT CHECK (result_kind IN ('verdict', 'report')),
    outcome TEXT CHECK (outcome IN ('pass', 'warn', 'fail')),
    reviewed_note_snapshot_id INTEGER, reviewed_criterion_snapshot_id INTEGER,
    expected_baseline_revision INTEGER, expected_generation_next_revision INTEGER, completed_at TEXT,
    CHECK ((result_kind = 'verdict') = (outcome IS NOT NULL)));
  CREATE TABLE review_freshness_evidence (target_id INTEGER PRIMARY KEY REFERENCES freshness_baselines (target_id),
    evidence_review_pair_id INTEGER NOT NULL UNIQUE REFERENCES review_pairs (review_pair_id));
  CREATE VIEW current_review_freshness_baselines AS SELECT * FROM freshness_baselines;`;

/** A store as the original program writes it, filled by plain SQL. */
export function writeOriginalStore(path: string, schema: "first" | "later", rows: string): void {
  const store = new Database(path);
  store.exec(schema === "first" ? firstSchema : laterSchema);
  store.exec(rows);
  store.close();
}

interface AcceptedPair {
  readonly note: string;
  readonly gate: string;
  readonly noteBlob: string;
  readonly gateBlob: string;
}

/** Rows of its first schema: every pair was reviewed once and passed. */
export function acceptAll(model: string, pairs: readonly AcceptedPair[]): string {
  const at = "'2026-04-13T11:00:00+02:00'";
  const rows = pairs.map(({ note, gate, noteBlob, gateBlob }, index) => {
    const key = `'${note}', '${gate}', '${model}'`;
    return {
      review: `(${index + 1}, NULL, ${key}, 'pass', '## Result: PASS', NULL, '${gateBlob}', '${noteBlob}', NULL, ${at}, 'full-review')`,
      accepted: `(${index + 1}, ${key}, ${index + 1}, '${noteBlob}', NULL, '${gateBlob}', ${at}, 'full-review')`,
    };
  });
  return [
    `INSERT INTO gate_reviews VALUES ${rows.map(({ review }) => review).join(",\n")};`,
    `INSERT INTO acceptance_events VALUES ${rows.map(({ accepted }) => accepted).join(",\n")};`,
    `CREATE INDEX idx_acceptance_events_key ON acceptance_events (note_path, gate_id, model_id, id DESC);`,
  ].join("\n");
}
