import type { Json } from "../../../domain/values/json.ts";
import type { Budget } from "../../../ports/flow.ts";
import type { AttemptEnd } from "../../../ports/journal.ts";

/** What is counted, in whole numbers: sums of fractions would drift from what was set aside. */
export interface Amounts {
  readonly microUsd: number;
  readonly tokens: number;
  readonly millis: number;
}

export interface Expenses {
  readonly spent_micro_usd: number;
  readonly spent_tokens: number;
  readonly spent_millis: number;
  readonly reserved_micro_usd: number;
  readonly reserved_tokens: number;
  readonly reserved_millis: number;
}

/** The run that pays. Its counters are kept only where there is a bound. */
export interface Account extends Expenses {
  readonly budget_micro_usd: number | null;
  readonly budget_tokens: number | null;
  readonly budget_millis: number | null;
}

/** Rounded up: a reservation may be too large, never too small. */
export function amountsOf(budget: Budget): Amounts {
  return {
    microUsd: Math.ceil(budget.microUsd ?? 0),
    tokens: Math.ceil(budget.tokens ?? 0),
    millis: millisOfSeconds(budget.seconds ?? 0),
  };
}

/** The first bound that the reservation would break, as facts for the ending of the run. */
export function boundBroken(account: Account, asked: Amounts): Json | undefined {
  const bounds = [
    {
      bound: "micro_usd",
      limit: account.budget_micro_usd,
      spent: account.spent_micro_usd,
      reserved: account.reserved_micro_usd,
      asked: asked.microUsd,
      unit: 1,
    },
    {
      bound: "tokens",
      limit: account.budget_tokens,
      spent: account.spent_tokens,
      reserved: account.reserved_tokens,
      asked: asked.tokens,
      unit: 1,
    },
    {
      bound: "seconds",
      limit: account.budget_millis,
      spent: account.spent_millis,
      reserved: account.reserved_millis,
      asked: asked.millis,
      unit: 1000,
    },
  ];
  for (const { bound, limit, spent, reserved, asked: more, unit } of bounds) {
    if (limit !== null && spent + reserved + more > limit) {
      return {
        bound,
        limit: limit / unit,
        spent: spent / unit,
        reserved: reserved / unit,
        asked: more / unit,
      };
    }
  }
  return undefined;
}

/** What an attempt cost; null where the reservation stands for it. */
export interface Cost {
  readonly microUsd: number | null;
  readonly tokens: number | null;
  readonly millis: number;
}

/** Without figures of the provider the reservation counts: it may have been billed. */
export function costOfReply({ usage, seconds }: AttemptEnd): Cost {
  return {
    microUsd: usage?.microUsd === undefined ? null : Math.ceil(usage.microUsd),
    tokens: usage === undefined ? null : usage.input + usage.output,
    millis: millisOfSeconds(seconds),
  };
}

/** What the provider counted, and the time. */
export function costOfFailure({ usage, seconds }: AttemptEnd): Cost {
  return {
    microUsd: Math.ceil(usage?.microUsd ?? 0),
    tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
    millis: millisOfSeconds(seconds),
  };
}

export function millisOfSeconds(seconds: number): number {
  const slackForBinaryFractions = 1e-6;
  return Math.max(0, Math.ceil(seconds * 1000 - slackForBinaryFractions));
}
