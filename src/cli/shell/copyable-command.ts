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

/** Twice the budget that was used up, as `--budget` takes it. */
export function twice({ microUsd, tokens, seconds }: Budget): string {
  return [
    microUsd === undefined ? undefined : `${(2 * microUsd) / 1_000_000}usd`,
    tokens === undefined ? undefined : `${2 * tokens}tokens`,
    seconds === undefined ? undefined : `${2 * seconds}s`,
  ]
    .filter((part) => part !== undefined)
    .join(",");
}
