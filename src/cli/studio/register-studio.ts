import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp } from "../shell/common-options.ts";
import { wholeNumberFlag } from "../shell/flag-values.ts";
import type { StudioFlags } from "./studio-action.ts";

/** `signoff studio`: the project in the browser. */
export function registerStudio(program: Command, cli: CliContext): void {
  program
    .command("studio")
    .description("watch, compare and decide in the browser; also serves the HTTP API")
    .option("--port <n>", "port on this machine; 0 takes any free one", wholeNumberFlag)
    .option("--open", "open it in the browser")
    .option("--print-url", "print only the address with its token")
    .option("--json", "print address, port and adopted runs as one JSON document")
    .option("--adopt", "resume runs whose process is gone")
    .option("--by <name>", byHelp)
    .addHelpText("after", help)
    .action(async (flags: StudioFlags) =>
      (await import("./studio-action.ts")).runStudio(cli, flags),
    );
}

const help = `
The address contains a token that changes with each start. Ctrl-C stops the server; interrupted runs
are recorded and can be resumed with \`signoff runs resume\`, or here with --adopt.`;
