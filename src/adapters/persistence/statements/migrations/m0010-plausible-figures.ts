/**
 * Figures of providers used to be stored as they came; sums over 4·10¹⁸ tokens overflow, and negative ones defeat a
 * budget. Such a figure is unknown. Its line holds nothing of a budget: the reservation it replaced is lost.
 */
export const m0010PlausibleFigures = `
UPDATE attempts SET input_tokens = NULL, output_tokens = NULL, cached_input_tokens = NULL
  WHERE input_tokens NOT BETWEEN 0 AND 1000000000 OR output_tokens NOT BETWEEN 0 AND 1000000000;
UPDATE attempts SET cached_input_tokens = NULL WHERE cached_input_tokens NOT BETWEEN 0 AND input_tokens;
UPDATE attempts SET micro_usd = NULL WHERE micro_usd NOT BETWEEN 0 AND 1000000000000;
UPDATE attempts SET held_tokens = 0 WHERE held_tokens NOT BETWEEN 0 AND 2000000000;
UPDATE attempts SET held_micro_usd = 0 WHERE held_micro_usd NOT BETWEEN 0 AND 1000000000000;
UPDATE runs SET
  spent_tokens = (SELECT COALESCE(SUM(a.held_tokens), 0) FROM runs c JOIN attempts a ON a.run = c.run
    WHERE c.top = runs.run AND a.state <> 'started'),
  spent_micro_usd = (SELECT COALESCE(SUM(a.held_micro_usd), 0) FROM runs c JOIN attempts a ON a.run = c.run
    WHERE c.top = runs.run AND a.state <> 'started')
  WHERE COALESCE(budget_micro_usd, budget_tokens, budget_millis) IS NOT NULL;
`;
