import type { Json } from "../../domain/values/json.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { Budget } from "../../ports/flow.ts";
import type { Inline, LedLine, Span } from "./lay-out.ts";
import { row } from "./row.ts";

/** A command to copy: it is never wrapped, however narrow the terminal is. */
export function copyable(command: string): Span {
  return { text: command, style: "accent", isWhole: true };
}

/** Commands to type next, one a line. */
export function commandRows(label: string, commands: readonly string[]): readonly LedLine[] {
  return commands.map((command, at) => row(at === 0 ? label : "", [copyable(command)]));
}

/** A sentence whose commands are in backticks; they stay in one piece. */
export function withCommands(sentence: string): readonly Inline[] {
  return sentence
    .split(/(`[^`\n]{1,2000}`)/u)
    .map((part): Inline => (part.startsWith("`") ? { text: part, isWhole: true } : part));
}

/** The words as a shell reads them back. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/**
 * A budget with which a run that was stopped by its own goes on, as `--budget` takes it: twice the old one, and for the
 * limit that stopped it twice what the run would have come to.
 */
export function raisedBudget({ microUsd, tokens, seconds }: Budget, facts: Json): string {
  const { bound, spent, reserved, asked, wait } = facts as { readonly [name: string]: Json };
  const reached = [spent, reserved, asked, wait].reduce<number>(
    (sum, amount) => sum + Number(amount ?? 0),
    0,
  );
  const raised = (limit: number, name: string) =>
    2 * Math.max(limit, bound === name ? Math.ceil(reached) : 0);
  return [
    microUsd === undefined ? undefined : `${raised(microUsd, "micro_usd") / 1_000_000}usd`,
    tokens === undefined ? undefined : `${raised(tokens, "tokens")}tokens`,
    seconds === undefined ? undefined : `${raised(seconds, "seconds")}s`,
  ]
    .filter((part) => part !== undefined)
    .join(",");
}
