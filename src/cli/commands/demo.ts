import type { Command } from "commander";
import type { CliContext } from "../cli-context.ts";
import type { FollowFlags } from "./follow-run.ts";

/** `signoff demo`: a writer and a reviewer at work, offline, until both sign. */
export function registerDemo(program: Command, cli: CliContext): void {
  program
    .command("demo")
    .description("watch a writer and a reviewer work on a text, offline, until both sign")
    .option("--json", "print the session as one JSON document")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addHelpText("after", "\nExample:\n  $ signoff demo --verbose")
    .action(async (flags: FollowFlags) => {
      const { startDemo } = await import("./start-draft-command.ts");
      await startDemo(cli, flags);
    });
}
