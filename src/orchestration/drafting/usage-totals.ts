import type { UsageTotals } from "../../domain/drafting/session.ts";
import type { Reply } from "../../ports/runner.ts";

/**
 * What these replies cost when they were first given. A replay counts the same, so that files made from it are
 * the same bytes; which replies were really asked for again is the ledger's business.
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
