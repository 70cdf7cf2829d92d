import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { JsonFlags } from "../shell/print.ts";

/** `signoff config …`: what holds here, and where it comes from. */
export function registerConfig(program: Command, cli: CliContext): void {
  const config = program
    .command("config")
    .description("what is set, where it comes from, and how to change it")
    .addHelpText("after", examples);
  config
    .command("show")
    .description("every setting with its value and where it comes from")
    .argument("[name]", "only this one, or those below it")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff config show drafting")
    .action(async (name: string | undefined, flags: JsonFlags) =>
      (await actions()).showConfig(cli, name, flags),
    );
  config
    .command("set")
    .description("change one setting in signoff.yaml; comments and order stay")
    .argument("<name>", "such as drafting.max_turns")
    .argument("<value>", "a value, or YAML for lists")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  $ signoff config set models.writer ollama/mistral")
    .action(async (name: string, value: string, flags: JsonFlags) =>
      (await actions()).setConfig(cli, { key: name, value }, flags),
    );
  config
    .command("path")
    .description("where this project's signoff.yaml is")
    .option("--json", "print one JSON document")
    .addHelpText("after", '\nExample:\n  $ "$EDITOR" "$(signoff config path)"')
    .action(async (flags: JsonFlags) => (await actions()).showConfigPath(cli, flags));
}

const examples = `
A flag wins over the environment, that over .env, that over signoff.yaml, that over the default.

Examples:
  $ signoff config show
  $ signoff config set drafting.max_turns 3`;

function actions() {
  return import("./config-actions.ts");
}
