import type { UsageTotals } from "../../domain/drafting/session.ts";
import type { Reply } from "../../ports/runner.ts";

/**
 * What these replies cost when they were first received. A replay counts the same, so that files made from it have the
 * same bytes; the ledger records which replies were asked for again.
 */
export function usageOf(replies: readonly Reply[]): UsageTotals {
  const sum = (part: (reply: Reply) => number | undefined) =>
    replies.reduce((total, reply) => total + (part(reply) ?? 0), 0);
  const isPriced = replies.every(({ usage }) => usage?.microUsd !== undefined);
  return {
    calls: replies.length,
    replayed: 0,
    inputTokens: sum(({ usage }) => usage?.input),
    outputTokens: sum(({ usage }) => usage?.output),
    cachedInputTokens: sum(({ usage }) => usage?.cachedInput),
    ...(isPriced ? { microUsd: sum(({ usage }) => usage?.microUsd) } : {}),
  };
}
