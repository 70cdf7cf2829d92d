import type { LoopIteration } from "./iteration.ts";
import { sameText } from "./same-text.ts";
import { isMoreSimilarThan } from "./similarity.ts";

/** The rules a recipe can name; each has its own reason. */
export const stopRules = ["early_stop", "oscillation", "late_issues"] as const;
export type StopRule = (typeof stopRules)[number];

/** Why a rule ended a loop without signatures. */
export type StopReason = "stalled" | "oscillating" | "late_issues";

/** A reason to stop after the last of these turns, or nothing. */
export type StopPredicate = (turns: readonly LoopIteration[]) => StopReason | undefined;

const stalledAbove = 0.95;

const predicates: Readonly<Record<StopRule, StopPredicate>> = {
  early_stop: stopWhenStalled,
  oscillation: stopWhenOscillating,
  late_issues: stopWhenOnlyLate,
};

/** The first of the recipe's rules that holds, in the recipe's order. */
export function firstStop(
  rules: readonly StopRule[],
  turns: readonly LoopIteration[],
): StopReason | undefined {
  for (const rule of rules) {
    const reason = predicates[rule](turns);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** From the third turn on: the writer hardly changes anything any more. */
export function stopWhenStalled(turns: readonly LoopIteration[]): StopReason | undefined {
  const [before, last] = turns.slice(-2);
  if (turns.length < 3 || before === undefined || last === undefined) return undefined;
  const stalled = isMoreSimilarThan(stalledAbove, before.candidate.content, last.candidate.content);
  return stalled ? "stalled" : undefined;
}

/** The last text already occurred two or more turns ago. */
export function stopWhenOscillating(turns: readonly LoopIteration[]): StopReason | undefined {
  const last = turns.at(-1);
  if (last === undefined) return undefined;
  const returned = turns
    .slice(0, -2)
    .some((turn) => sameText(turn.candidate.content, last.candidate.content));
  return returned ? "oscillating" : undefined;
}

/** Two turns in a row in which every open error was raised late. */
export function stopWhenOnlyLate(turns: readonly LoopIteration[]): StopReason | undefined {
  const lastTwo = turns.slice(-2);
  return lastTwo.length === 2 && lastTwo.every(hasOnlyLateErrors) ? "late_issues" : undefined;
}

function hasOnlyLateErrors(turn: LoopIteration): boolean {
  const errors = turn.review.issues.filter((issue) => issue.severity === "error");
  return errors.length > 0 && errors.every((issue) => issue.late);
}
