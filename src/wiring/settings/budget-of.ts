import type { BudgetConfig } from "../../domain/settings/project-config.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Budget } from "../../ports/flow.ts";

/** The budget that the settings give every run. */
export function budgetOf({ usd, tokens, seconds }: BudgetConfig): Budget {
  return {
    ...(usd === undefined ? {} : { microUsd: Math.round(usd * 1_000_000) }),
    ...defined({ tokens, seconds }),
  };
}

/** Whether each limit can be kept: something can be spent below it, and it can be counted up to. */
export function isBudget({ microUsd = 1, tokens = 1, seconds = 1 }: Budget): boolean {
  const areWhole = Number.isSafeInteger(microUsd) && Number.isSafeInteger(tokens);
  return areWhole && Number.isFinite(seconds) && microUsd > 0 && tokens > 0 && seconds > 0;
}
