import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { wholeNumberFlag } from "../shell/flag-values.ts";
import type { StudioFlags } from "./studio-action.ts";

/** `signoff studio`: the browser's side of the project. */
export function registerStudio(program: Command, cli: CliContext): void {
  program
    .command("studio")
    .description("watch, compare and decide in the browser; also serves the HTTP API")
    .option("--port <n>", "port on this machine; 0 takes any free one", wholeNumberFlag)
    .option("--open", "open it in the browser")
    .option("--print-url", "print nothing but the address with its token")
    .option("--json", "print address, port and adopted runs as one JSON document")
    .option("--adopt", "go on with runs whose process is gone")
    .option("--by <name>", "who decides here; else SIGNOFF_USER, git's user, the login")
    .addHelpText("after", examples)
    .action(async (flags: StudioFlags) => {
      const { runStudio } = await import("./studio-action.ts");
      await runStudio(cli, flags);
    });
}

const examples = `
The address holds a token that is new with each start. Ctrl-C stops the server; runs that were at work
are recorded and go on with \`signoff runs resume\`, or here with --adopt.

Examples:
  $ signoff studio --open
  $ signoff studio --port 0 --print-url`;
