import { isBudget } from "../../orchestration/runs/budget-of.ts";
import type { Budget } from "../../ports/flow.ts";
import { invalidFlag } from "./flag-values.ts";

/** Reads `0.50usd`, `20000tokens`, `90s` or a list of them; a bare number is dollars. */
export function readBudget(text: string | undefined): Budget | undefined {
  if (text === undefined) return undefined;
  const amounts = text.split(",").map((part) => readAmount(part.trim().toLowerCase(), text));
  return Object.assign({}, ...amounts);
}

const amount = /^\$?(\d+(?:\.\d+)?)\s*(usd|\$|tokens?|s|seconds?|min|minutes?)?$/;

function readAmount(part: string, whole: string): Budget {
  const [, digits, unit = "usd"] = amount.exec(part) ?? [];
  const budget = digits === undefined ? undefined : budgetIn(unit, Number(digits));
  if (budget !== undefined && isBudget(budget)) return budget;
  const hint = "Write 0.50usd, 20000tokens, 90s, or several of them with commas.";
  throw invalidFlag(`The budget "${whole}" cannot be read.`, hint, {
    flag: "--budget",
    value: whole,
  });
}

function budgetIn(unit: string, value: number): Budget {
  if (unit.startsWith("token")) return { tokens: Math.floor(value) };
  if (unit.startsWith("s")) return { seconds: value };
  if (unit.startsWith("min")) return { seconds: value * 60 };
  return { microUsd: Math.round(value * 1_000_000) };
}
