/**
 * A ledger line says what it holds of the budget: its reservation while open or lost, its cost once closed. Sums can
 * then be taken from the ledger alone, and the counters of `runs` are kept only for runs with a limit.
 */
export const m0004HeldAmounts = `
ALTER TABLE attempts RENAME COLUMN reserved_micro_usd TO held_micro_usd;
ALTER TABLE attempts RENAME COLUMN reserved_tokens TO held_tokens;
ALTER TABLE attempts RENAME COLUMN reserved_millis TO held_millis;
UPDATE attempts SET
  held_micro_usd = COALESCE(micro_usd, CASE state WHEN 'replied' THEN held_micro_usd ELSE 0 END),
  held_tokens = COALESCE(input_tokens + output_tokens, CASE state WHEN 'replied' THEN held_tokens ELSE 0 END),
  held_millis = COALESCE(millis, 0)
WHERE state IN ('replied', 'failed');
`;
