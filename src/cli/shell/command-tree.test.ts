import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram, commands as registered } from "../program.ts";
import type { CliContext } from "./cli-context.ts";
import { describeCommands } from "./command-tree.ts";

const commands = describeCommands(createProgram(new Command("signoff"), {} as CliContext));

describe("the command line", () => {
  it.each(commands.map((command) => [command.path.join(" "), command] as const))(
    "shows how it is used: %s",
    (_, { examples, path }) => {
      expect(examples).toContain(`signoff ${path.join(" ")}`.trimEnd());
    },
  );

  it.each(
    commands
      .filter(({ path, subcommands }) => path.length > 0 && subcommands.length === 0)
      .map((command) => [command.path.join(" "), command] as const),
  )("answers programs in JSON: %s", (_, { options }) => {
    expect(options.flatMap(({ names }) => names)).toContain("--json");
  });

  it("gives no option to a command and to one below it, since the upper one would take it", () => {
    for (const { path, options } of commands) {
      const upper = commands.filter(
        (other) =>
          other.path.length < path.length && other.path.every((word, at) => word === path[at]),
      );
      // `demo assistant` reads the options of `demo` too.
      const greedy = upper.filter((other) => other.path.join(" ") !== "demo");
      const taken = greedy.flatMap((other) => other.options.flatMap(({ names }) => names));
      const own = options
        .flatMap(({ names }) => names)
        .filter((name) => !/^(?:-h|--help)$/u.test(name));
      for (const name of own) expect(taken, path.join(" ")).not.toContain(name);
    }
  });

  it.each(registered.flatMap(({ words }) => words.map((word) => [word, words] as const)))(
    "builds nothing else where the first word is %s",
    (word, words) => {
      const alone = createProgram(new Command("signoff"), {} as CliContext, word);
      expect(alone.commands.map((command) => command.name())).toEqual(words);
    },
  );

  it.each(["help", "nonsense", "--debug", "completion", undefined])(
    "builds all of them where the first word is %s",
    (word) => {
      const all = createProgram(new Command("signoff"), {} as CliContext, word);
      const names = all.commands.map((command) => command.name());
      expect(names).toEqual([...registered.flatMap(({ words }) => words), "completion"]);
    },
  );
});
