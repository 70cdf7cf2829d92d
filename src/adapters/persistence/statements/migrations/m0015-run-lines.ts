/**
 * What a search through the runs looks at, one narrow line for each run, in the order of the list. A line is derived
 * from its run by whoever searches; `listed_at` is the `updated_at` that it was derived from, so every writer that
 * touches a run makes its line out of date without knowing of it. A run that has not ended is still spending: its
 * `micro_usd` is NULL, and a search adds up its calls.
 */
export const m0015RunLines = `
CREATE TABLE run_lines (
  created_at TEXT NOT NULL,
  run TEXT NOT NULL,
  words TEXT NOT NULL,
  outcome TEXT,
  micro_usd INTEGER,
  PRIMARY KEY (created_at, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_lines_by_outcome ON run_lines (outcome, created_at, run);
ALTER TABLE runs ADD COLUMN listed_at TEXT;
CREATE INDEX runs_unlisted ON runs (run) WHERE COALESCE(listed_at, '') <> updated_at;
CREATE INDEX runs_by_kind_and_state ON runs (kind, state);
`;
