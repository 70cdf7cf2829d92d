/**
 * A run's pairs are claimed while they are paid for; the run's lease, or its sweep's, says whether a process is still
 * at it. `note_path` follows the note; `asked_path` is the one in the prompt, if it is another. Sweeps that were
 * frozen before a move find the new path in `note_moves`. `moves_seen` is the last move that a run's prompt knows.
 */
export const m0011ClaimsAndMoves = `
ALTER TABLE review_run_gates ADD COLUMN asked_path TEXT;
ALTER TABLE review_run_gates ADD COLUMN is_claimed INTEGER NOT NULL DEFAULT 0;
UPDATE review_run_gates SET is_claimed = 1 WHERE run IN (
  SELECT v.run FROM review_runs v JOIN runs r ON r.run = v.run
  WHERE v.finished_at IS NULL AND r.parent IS NOT NULL);
ALTER TABLE review_runs ADD COLUMN moves_seen INTEGER NOT NULL DEFAULT 0;
CREATE TABLE note_moves (
  seq INTEGER NOT NULL PRIMARY KEY,
  old_path TEXT NOT NULL,
  new_path TEXT NOT NULL
) STRICT;
`;
