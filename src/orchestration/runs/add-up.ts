import { atLeast } from "../../domain/models/known-amounts.ts";
import { isLocalModel } from "../../domain/models/local-model.ts";
import { defined } from "../../domain/values/defined.ts";
import type { LedgerTotals } from "../../ports/repos.ts";

/** What a run and its children took, as far as it is known. */
export interface Spent {
  /** Of the calls with a known price: a lower bound if any are `unpriced`, absent if nothing is known. */
  readonly microUsd?: number;
  readonly unpriced: number;
  /** The same for replies whose tokens were counted. */
  readonly tokens?: number;
  readonly uncounted: number;
  readonly seconds: number;
}

const none = {
  ...{ attempts: 0, replied: 0, failed: 0, lost: 0, microUsd: 0, seconds: 0 },
  ...{ unpriced: 0, uncounted: 0 },
  ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
};

export type Sums = Readonly<typeof none>;

/** Every amount of these totals, summed. A local model costs nothing, so none of its calls lacks a price. */
export function addUp(totals: readonly LedgerTotals[]): Sums {
  const sum = { ...none };
  for (const one of totals) {
    const priced = isLocalModel(one.model) ? { ...one, unpriced: 0 } : one;
    for (const name of Object.keys(none) as (keyof Sums)[]) sum[name] += priced[name];
  }
  return sum;
}

export function spentOf(totals: readonly LedgerTotals[]): Spent {
  const { microUsd, unpriced, inputTokens, outputTokens, uncounted, seconds } = addUp(totals);
  return {
    ...{ unpriced, uncounted, seconds },
    ...defined({
      microUsd: atLeast(microUsd, unpriced),
      tokens: atLeast(inputTokens + outputTokens, uncounted),
    }),
  };
}
