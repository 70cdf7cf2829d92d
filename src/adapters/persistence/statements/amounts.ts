import type { Json } from "../../../domain/values/json.ts";
import type { Budget } from "../../../ports/flow.ts";
import type { AttemptEnd } from "../../../ports/journal.ts";

type Unit = "micro_usd" | "tokens" | "millis";

/** Counted in whole numbers: sums of fractions would drift from what was reserved. */
export interface Amounts {
  readonly microUsd: number;
  readonly tokens: number;
  readonly millis: number;
}

export type Expenses = { readonly [column in `${"spent" | "reserved"}_${Unit}`]: number };

export type BudgetRow = { readonly [column in `budget_${Unit}`]: number | null };

/** What an attempt holds of the budget. */
export type HeldRow = { readonly [column in `held_${Unit}`]: number };

/** The run that pays. Its counters are kept only if it has a limit. */
export type Account = Expenses & BudgetRow;

/** Rounded up: a reservation may be too large, never too small. */
export function amountsOf(budget: Budget): Amounts {
  return {
    microUsd: Math.ceil(budget.microUsd ?? 0),
    tokens: Math.ceil(budget.tokens ?? 0),
    millis: millisOfSeconds(budget.seconds ?? 0),
  };
}

const bounds = [
  { bound: "micro_usd", column: "micro_usd", member: "microUsd", scale: 1 },
  { bound: "tokens", column: "tokens", member: "tokens", scale: 1 },
  { bound: "seconds", column: "millis", member: "millis", scale: 1000 },
] as const;

/** The first limit that the reservation would exceed, as facts for the ending of the run. */
export function boundBroken(account: Account, reservation: Amounts): Json | undefined {
  for (const { bound, column, member, scale } of bounds) {
    const limit = account[`budget_${column}`];
    const spent = account[`spent_${column}`];
    const reserved = account[`reserved_${column}`];
    const asked = reservation[member];
    if (limit === null || spent + reserved + asked <= limit) continue;
    return {
      bound,
      limit: limit / scale,
      spent: spent / scale,
      reserved: reserved / scale,
      asked: asked / scale,
    };
  }
  return undefined;
}

/** What an attempt cost; null where its reservation counts instead. */
export interface Cost {
  readonly microUsd: number | null;
  readonly tokens: number | null;
  readonly millis: number;
}

/** Without figures from the provider the reservation counts: it may have been billed. */
export function costOfReply(end: AttemptEnd): Cost {
  const { usage, seconds } = end;
  return {
    microUsd: knownCost(end),
    tokens: usage === undefined ? null : usage.input + usage.output,
    millis: millisOfSeconds(seconds),
  };
}

export function knownCost({ usage, microUsd = usage?.microUsd }: AttemptEnd): number | null {
  return microUsd === undefined ? null : Math.ceil(microUsd);
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
  const millis = Math.ceil(seconds * 1000 - slackForBinaryFractions);
  return Number.isNaN(millis) ? 0 : Math.min(Math.max(0, millis), mostMillis);
}

/** Thirty years; also a limit that is written as a huge number. */
const mostMillis = 1e12;

/** Limits are rounded down, reservations up. */
export function budgetColumns(budget: Budget): readonly (number | null)[] {
  return [
    budget.microUsd === undefined ? null : Math.floor(budget.microUsd),
    budget.tokens === undefined ? null : Math.floor(budget.tokens),
    budget.seconds === undefined ? null : millisOfSeconds(budget.seconds),
  ];
}
