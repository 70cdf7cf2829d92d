/**
 * The first schema. A migration that has been released is never edited.
 *
 * Kind, input digest and creation time of a job are columns of `runs`, because lists and look-ups use them. Columns
 * ending in `_text` name a row of `texts`; they are not foreign keys, because each removal of a text would then
 * search every table that may name it. Decisions and rulings outlive their run, so they do not reference it.
 * Tables of small rows are kept in key order; tables with replies are not, because SQLite stores long rows of
 * ordered tables badly.
 */
export const m0001Runs = `
CREATE TABLE texts (
  digest TEXT NOT NULL PRIMARY KEY,
  plain TEXT,
  deflated BLOB,
  CHECK ((plain IS NULL) <> (deflated IS NULL))
) STRICT;

CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  input TEXT,
  input_text TEXT,
  settings TEXT NOT NULL,
  budget TEXT
) STRICT;

CREATE TABLE runs (
  run TEXT NOT NULL PRIMARY KEY,
  job TEXT NOT NULL UNIQUE REFERENCES jobs (id),
  kind TEXT NOT NULL,
  input_digest TEXT NOT NULL,
  created_at TEXT NOT NULL,
  parent TEXT REFERENCES runs (run),
  top TEXT NOT NULL REFERENCES runs (run),
  state TEXT NOT NULL
    CHECK (state IN ('queued', 'running', 'waiting', 'finished', 'stopped', 'failed', 'cancelled')),
  epoch INTEGER NOT NULL,
  holder_host TEXT,
  holder_pid INTEGER,
  holder_process_start TEXT,
  holder_since TEXT,
  holder_expires TEXT,
  ending TEXT,
  ending_text TEXT,
  cancel_reason TEXT,
  projected_seq INTEGER NOT NULL,
  accepts_changes INTEGER NOT NULL,
  budget_micro_usd INTEGER,
  budget_tokens INTEGER,
  budget_millis INTEGER,
  spent_micro_usd INTEGER NOT NULL,
  spent_tokens INTEGER NOT NULL,
  spent_millis INTEGER NOT NULL,
  reserved_micro_usd INTEGER NOT NULL,
  reserved_tokens INTEGER NOT NULL,
  reserved_millis INTEGER NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX runs_newest ON runs (created_at, run);
CREATE INDEX runs_by_kind ON runs (kind, created_at, run);
CREATE INDEX runs_by_state ON runs (state, created_at, run);
CREATE INDEX runs_by_input ON runs (kind, input_digest, created_at);
CREATE INDEX runs_by_parent ON runs (parent);
CREATE INDEX runs_by_top ON runs (top);

CREATE TABLE calls (
  run TEXT NOT NULL REFERENCES runs (run),
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  value TEXT,
  value_text TEXT,
  role TEXT,
  model TEXT,
  system_text TEXT,
  prompt TEXT,
  prompt_text TEXT,
  expects TEXT,
  settings TEXT,
  format_version TEXT,
  PRIMARY KEY (run, key)
) STRICT;

CREATE TABLE attempts (
  run TEXT NOT NULL REFERENCES runs (run),
  key TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('started', 'replied', 'failed', 'lost')),
  model TEXT NOT NULL,
  role TEXT,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  millis INTEGER,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_input_tokens INTEGER,
  micro_usd INTEGER,
  reserved_micro_usd INTEGER NOT NULL,
  reserved_tokens INTEGER NOT NULL,
  reserved_millis INTEGER NOT NULL,
  error TEXT,
  PRIMARY KEY (run, key, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs (run),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  data TEXT,
  data_text TEXT,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (
  id TEXT NOT NULL PRIMARY KEY,
  run TEXT NOT NULL,
  key TEXT NOT NULL,
  question TEXT NOT NULL,
  answer TEXT,
  version INTEGER NOT NULL,
  asked_at TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_open ON decisions (asked_at, id) WHERE answer IS NULL;
CREATE INDEX decisions_by_run ON decisions (run);

CREATE TABLE rulings (
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('approve', 'request_changes', 'edit')),
  candidate TEXT,
  author TEXT NOT NULL,
  known_how TEXT NOT NULL,
  reason TEXT,
  content TEXT,
  ruled_at TEXT NOT NULL,
  PRIMARY KEY (run, number)
) STRICT;
`;
