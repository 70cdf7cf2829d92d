/**
 * Reviews of notes. `acceptance_events` is append-only (moving a note renames its rows); the view shows what counts
 * now. Its key starts with the note, so that one pass in key order finds all versions of a pair together.
 * `blob_texts` keeps the reviewed texts by git id, so that trivial changes are recognised after git has dropped them.
 */
export const m0002Reviews = `
CREATE TABLE review_runs (
  run TEXT NOT NULL PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  shape TEXT NOT NULL CHECK (shape IN ('bundle', 'sweep', 'rule')),
  model TEXT NOT NULL,
  asked_model TEXT NOT NULL,
  answered_model TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'waiting', 'completed', 'failed')),
  reason TEXT,
  format TEXT NOT NULL,
  batch TEXT,
  raw_text TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT
) STRICT;
CREATE INDEX review_runs_by_plan ON review_runs (plan, number);
CREATE INDEX review_runs_open ON review_runs (number) WHERE state IN ('running', 'waiting');

CREATE TABLE review_run_gates (
  run TEXT NOT NULL REFERENCES review_runs (run),
  ordinal INTEGER NOT NULL,
  note_path TEXT NOT NULL,
  note_blob TEXT NOT NULL,
  note_commit TEXT,
  gate_id TEXT NOT NULL,
  gate_blob TEXT NOT NULL,
  PRIMARY KEY (run, ordinal),
  UNIQUE (run, note_path, gate_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_run_gates_by_note ON review_run_gates (note_path);

CREATE TABLE gate_reviews (
  review TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  run TEXT NOT NULL REFERENCES review_runs (run),
  note_path TEXT NOT NULL,
  note_blob TEXT NOT NULL,
  gate_id TEXT NOT NULL,
  gate_blob TEXT NOT NULL,
  model TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('pass', 'warn', 'fail', 'error', 'unknown')),
  summary TEXT,
  body_text TEXT NOT NULL,
  suggested_revision TEXT,
  reviewed_at TEXT NOT NULL,
  UNIQUE (run, note_path, gate_id)
) STRICT;
CREATE INDEX gate_reviews_by_pair ON gate_reviews (note_path, gate_id, model, seq);
CREATE INDEX gate_reviews_undecided ON gate_reviews (note_path, gate_id, model)
  WHERE decision IN ('error', 'unknown');
CREATE INDEX gate_reviews_work ON gate_reviews (seq) WHERE decision IN ('warn', 'fail');

CREATE TABLE findings (
  review TEXT NOT NULL REFERENCES gate_reviews (review),
  ordinal INTEGER NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'warn', 'fail', 'error')),
  message TEXT NOT NULL,
  quote TEXT,
  line INTEGER,
  fingerprint TEXT NOT NULL,
  survives_rewording INTEGER NOT NULL,
  PRIMARY KEY (review, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE dismissals (
  seq INTEGER NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  note_path TEXT NOT NULL,
  note_blob TEXT NOT NULL,
  gate_id TEXT NOT NULL,
  quote TEXT,
  reason TEXT NOT NULL,
  author TEXT NOT NULL,
  dismissed_at TEXT NOT NULL
) STRICT;

CREATE TABLE acceptance_events (
  note_path TEXT NOT NULL,
  gate_id TEXT NOT NULL,
  model TEXT NOT NULL,
  seq INTEGER NOT NULL UNIQUE,
  note_blob TEXT NOT NULL,
  gate_blob TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('pass', 'warn', 'fail')),
  kind TEXT NOT NULL,
  format TEXT NOT NULL,
  review TEXT,
  reason TEXT,
  author TEXT,
  accepted_at TEXT NOT NULL,
  PRIMARY KEY (note_path, gate_id, model, seq)
) STRICT, WITHOUT ROWID;

CREATE VIEW current_acceptances AS
  SELECT a.* FROM acceptance_events a WHERE a.seq = (
    SELECT MAX(b.seq) FROM acceptance_events b
    WHERE b.note_path = a.note_path AND b.gate_id = a.gate_id AND b.model = a.model);

CREATE TABLE blob_texts (
  blob TEXT NOT NULL PRIMARY KEY,
  content_text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
