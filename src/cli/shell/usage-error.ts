import type { Command, Option } from "commander";
import { nearestName } from "../../contract/documents/nearest-name.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";

/** Reports what the parser refuses like every other error: a sentence, the likely intention, and where to read on. */
export function explainUsageErrors(command: Command): void {
  for (const below of command.commands) explainUsageErrors(below);
  command.configureOutput({
    outputError: (text) => {
      throw usageError(command, text);
    },
  });
}

function usageError(command: Command, text: string): ConfigurationError {
  const [problem = "", suggestion] = text
    .trim()
    .replace(/^error: /u, "")
    .split(/\n\(|\)$/u);
  const [word] = command.args.slice(command.registeredArguments.length);
  if (word === undefined) return refuse(command, problem, suggestion);
  const group = problem.startsWith("too many arguments") ? groupOf(command) : undefined;
  if (group !== undefined) {
    const names = group.commands.map((below) => below.name());
    return refuse(group, `unknown command '${word}'`, didYouMean(nearestName(word, names)));
  }
  const flag = flagFor(command, problem, word);
  const meant = flag === undefined ? undefined : `\`${flag} ${shellWord(word)}\``;
  return refuse(command, problem, suggestion ?? didYouMean(meant));
}

/** The command whose subcommand was misspelt: it does something by itself, or a default subcommand got the words. */
function groupOf(command: Command): Command | undefined {
  if (command.commands.length > 0) return command;
  const { parent } = command;
  return parent === null || parent.parent === null || parent.args[0] === command.name()
    ? undefined
    : parent;
}

function refuse(
  command: Command,
  problem: string,
  suggestion: string | undefined,
): ConfigurationError {
  const message = problem.charAt(0).toUpperCase() + problem.slice(1);
  const help = `See \`${nameOf(command)} --help\`.`;
  const hint = suggestion === undefined ? help : `${suggestion} ${help}`;
  return new ConfigurationError(message, { code: "usage", hint });
}

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `Did you mean ${name}?`;
}

/** Every command lists first what it works on, some after the workspace in which they work. */
function flagFor(command: Command, problem: string, word: string): string | undefined {
  if (!/^(?:too many arguments|required option)/u.test(problem)) return undefined;
  const first = command.options.find(({ long, required }) => required && long !== "--workspace");
  return first?.long != null && accepts(first, word) ? first.long : undefined;
}

function accepts({ parseArg }: Option, word: string): boolean {
  try {
    parseArg?.(word, undefined);
    return true;
  } catch {
    return false;
  }
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
