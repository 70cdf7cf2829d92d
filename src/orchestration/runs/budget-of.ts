import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Budget } from "../../ports/flow.ts";

/** The budget of a run: the one it was given, else the settings' limit for every run. `undefined`: no limit. */
export function budgetOf(
  given: Budget | undefined,
  { limits }: Pick<Settings, "limits">,
): Budget | undefined {
  if (given !== undefined) return given;
  const { usd, tokens, seconds } = limits.budget;
  const microUsd = usd === undefined ? undefined : Math.round(usd * 1_000_000);
  const budget = defined({ microUsd, tokens, seconds });
  return Object.keys(budget).length === 0 ? undefined : budget;
}

/** Whether each limit can be kept: something can be spent below it, and it can be counted up to. */
export function isBudget({ microUsd = 1, tokens = 1, seconds = 1 }: Budget): boolean {
  const areWhole = Number.isSafeInteger(microUsd) && Number.isSafeInteger(tokens);
  return areWhole && Number.isFinite(seconds) && microUsd > 0 && tokens > 0 && seconds > 0;
}
