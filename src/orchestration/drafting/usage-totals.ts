import type { UsageTotals } from "../../domain/drafting/session.ts";
import { sumOf } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Reply } from "../../ports/runner.ts";

/**
 * What these replies cost when they were first received. A replay counts the same, so that files made from it have the
 * same bytes; the ledger records which replies were asked for again.
 */
export function usageOf(replies: readonly Reply[]): UsageTotals {
  const usages = replies.map(({ usage }) => usage);
  return {
    calls: replies.length,
    replayed: 0,
    cachedInputTokens: usages.reduce((sum, usage) => sum + (usage?.cachedInput ?? 0), 0),
    ...defined({
      inputTokens: sumOf(usages.map((usage) => usage?.input)),
      outputTokens: sumOf(usages.map((usage) => usage?.output)),
      microUsd: sumOf(replies.map(({ usage, microUsd }) => usage?.microUsd ?? microUsd)),
    }),
  };
}
