import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp } from "../shell/common-options.ts";
import { wholeNumberFlag } from "../shell/flag-values.ts";
import type { JsonFlags } from "../shell/print.ts";
import type { AddPersonFlags } from "./people-actions.ts";
import type { StudioFlags } from "./studio-action.ts";

/** `signoff studio`: the project in the browser. `signoff people`: who may share it. */
export function registerStudio(program: Command, cli: CliContext): void {
  program
    .command("studio")
    .description("watch, compare and decide in the browser; also serves the HTTP API")
    .option("--port <n>", "port on this machine; 0 takes any free one", wholeNumberFlag)
    .option("--open", "open it in the browser")
    .option("--print-url", "print only the address with its token")
    .option("--json", "print address, port and adopted runs as one JSON document")
    .option("--public-url <url>", "the https address of a reverse proxy in front of it")
    .option("--adopt", "resume runs whose process is gone")
    .option("--by <name>", byHelp)
    .addHelpText("after", help)
    .action(async (flags: StudioFlags) =>
      (await import("./studio-action.ts")).runStudio(cli, flags),
    );
  registerPeople(program, cli);
}

const actions = () => import("./people-actions.ts");

function registerPeople(program: Command, cli: CliContext): void {
  const people = program
    .command("people")
    .description("give people tokens of their own for a shared studio, and take them back")
    .addHelpText("after", peopleHelp);
  people
    .command("add")
    .description("add a person and print their token, once")
    .argument("[name]", "the name their decisions bear; asked for at a terminal if it is left out")
    .requiredOption("--role <role>", "look, decide or run; each includes those before it")
    .addHelpText("after", peopleHelp)
    .action(async (name: string | undefined, flags: AddPersonFlags) =>
      (await actions()).addPersonCommand(cli, name, flags),
    );
  people
    .command("list", { isDefault: true })
    .description("list them with their roles; same as `signoff people`")
    .addHelpText("after", peopleHelp)
    .action(async (flags: JsonFlags) => (await actions()).listPeopleCommand(cli, flags));
  people
    .command("remove")
    .description("revoke a person's token and end their sessions at once")
    .argument("<name>", "as `people list` prints it")
    .addHelpText("after", peopleHelp)
    .action(async (name: string, flags: JsonFlags) =>
      (await actions()).removePersonCommand(cli, name, flags),
    );
}

const peopleHelp = `
Examples:
  $ signoff people add "Ann Lee" --role decide
  $ signoff people list
  $ signoff people remove "Ann Lee"`;

const help = `
The address contains a token that changes with each start. Ctrl-C stops the server; interrupted runs
are recorded and can be resumed with \`signoff runs resume\`, or here with --adopt.`;
