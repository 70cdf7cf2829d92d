import type { LedgerTotals } from "../../ports/repos.ts";

const none = {
  ...{ attempts: 0, replied: 0, failed: 0, lost: 0, microUsd: 0, seconds: 0 },
  ...{ unpriced: 0, uncounted: 0 },
  ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
};

/** Every amount of these totals, summed. */
export function addUp(totals: readonly LedgerTotals[]): typeof none {
  const sum = { ...none };
  for (const one of totals)
    for (const name of Object.keys(none) as (keyof typeof none)[]) sum[name] += one[name];
  return sum;
}
