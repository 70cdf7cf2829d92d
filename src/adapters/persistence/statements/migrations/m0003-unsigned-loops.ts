/**
 * Loops that ended without approval and need a person. Kept apart from the runs, so that the first page of the
 * inbox costs the same however many runs were signed.
 */
export const m0003UnsignedLoops = `
CREATE TABLE unsigned_loops (
  run TEXT NOT NULL PRIMARY KEY REFERENCES runs (run),
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unsigned_loops_oldest ON unsigned_loops (since, run);
`;
