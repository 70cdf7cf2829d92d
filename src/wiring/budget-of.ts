import type { BudgetConfig } from "../domain/settings/project-config.ts";
import type { Budget } from "../ports/flow.ts";

/** The budget that the settings give every run. */
export function budgetOf({ usd, tokens, seconds }: BudgetConfig): Budget {
  return {
    ...(usd === undefined ? {} : { microUsd: Math.round(usd * 1_000_000) }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(seconds === undefined ? {} : { seconds }),
  };
}
