/** What came back against what was asked for; order does not matter, every name counts once. */
export interface Coverage {
  readonly isComplete: boolean;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  readonly duplicate: readonly string[];
}

/** Checked before anything is written: a run whose coverage is incomplete writes no review and no acceptance. */
export function validateCoverage(
  requested: readonly string[],
  received: readonly string[],
): Coverage {
  const asked = new Set(requested);
  const seen = new Set<string>();
  const duplicate = new Set<string>();
  for (const name of received) {
    if (seen.has(name)) duplicate.add(name);
    seen.add(name);
  }
  const missing = [...asked].filter((name) => !seen.has(name));
  const unexpected = [...seen].filter((name) => !asked.has(name));
  const isComplete = missing.length === 0 && unexpected.length === 0 && duplicate.size === 0;
  return { isComplete, missing, unexpected, duplicate: [...duplicate] };
}
