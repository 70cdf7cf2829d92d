/**
 * A review run records facts: when it was captured, when and how its reply was filed. Whether it is running follows
 * from the run with the same id, so it has no state of its own.
 */
export const m0007ReviewFacts = `
UPDATE review_runs SET finished_at = COALESCE(finished_at, created_at)
WHERE state IN ('completed', 'failed');
UPDATE review_runs SET reason = COALESCE(reason, 'failed') WHERE state = 'failed';
UPDATE review_runs SET reason = NULL WHERE state = 'completed';
DROP INDEX review_runs_open;
ALTER TABLE review_runs DROP COLUMN state;
CREATE INDEX review_runs_open ON review_runs (number) WHERE finished_at IS NULL;
CREATE INDEX review_runs_by_batch ON review_runs (batch) WHERE batch IS NOT NULL;
`;
