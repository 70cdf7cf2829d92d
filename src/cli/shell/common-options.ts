import type { Command } from "commander";

export const pathsHelp = "notes or folders (default: all)";
export const runHelp = "run id, or a unique prefix of it";
export const whyHelp = "why, in your own words; asked for at a terminal if it is left out";

export const byHelp = "your name (default: SIGNOFF_USER, else git's user, else the login name)";
export const budgetHelp = "stop before exceeding it: 0.50usd, 20000tokens, 90s, or a list of them";

/** Options of commands that show a loop while it runs. */
export function withProgress(command: Command): Command {
  return command
    .option("-q, --quiet", "print only the result")
    .option("-v, --verbose", "print every reply in full");
}

/** Every command that has no subcommands takes `--json`. */
export function addJsonOption(command: Command): void {
  for (const below of command.commands) addJsonOption(below);
  const isLeaf = command.commands.length === 0 && command.parent !== null;
  if (!isLeaf || command.options.some(({ long }) => long === "--json")) return;
  command.option("--json", "print one JSON document");
}
