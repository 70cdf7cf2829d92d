import type { EventEmitter } from "node:events";
import type { Command } from "commander";

/** One command as data, for completion scripts and for the manual. */
export interface CommandFacts {
  /** The words that call it, without the program's name. */
  readonly path: readonly string[];
  readonly description: string;
  readonly usage: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly flags: string;
    readonly names: readonly string[];
    readonly description: string;
    readonly choices: readonly string[];
  }[];
  readonly subcommands: readonly string[];
  /** The last part of its help. */
  readonly examples: string;
}

/** The program and every command below it, in the order they are shown. */
export function describeCommands(
  command: Command,
  path: readonly string[] = [],
): readonly CommandFacts[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");
  const facts: CommandFacts = {
    path,
    description: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map((one) => {
      const name = `${one.name()}${one.variadic ? "..." : ""}`;
      return { name: one.required ? `<${name}>` : `[${name}]`, description: one.description };
    }),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => ({
        flags: option.flags,
        names: [option.short, option.long].filter((name) => typeof name === "string"),
        description: command.createHelp().optionDescription(option),
        choices: option.argChoices ?? [],
      })),
    subcommands: visible.map((one) => one.name()),
    examples: afterHelp(command),
  };
  return [facts, ...visible.flatMap((one) => describeCommands(one, [...path, one.name()]))];
}

/** Commander keeps such text behind the events that print it; its types do not mention events. */
function afterHelp(command: Command): string {
  const parts: string[] = [];
  const write = (text: string): void => {
    parts.push(text);
  };
  (command as unknown as EventEmitter).emit("afterHelp", { error: false, command, write });
  return parts.join("").trim();
}
