import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";
import type { FollowFlags } from "../shell/follow-run.ts";
import type { DemoStudioFlags } from "../studio/demo-studio-action.ts";
import type { DemoAssistantFlags } from "./demo-assistant-action.ts";

/** `signoff demo`: a writer and a reviewer at work, offline, until both sign. */
export function registerDemo(program: Command, cli: CliContext): void {
  const demo = program
    .command("demo")
    .description("watch a writer and a reviewer work on a text, offline, until both sign")
    .option("--json", "print the session as one JSON document")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .option(
      "--studio",
      "make a project with something of everything, and look at it in the browser",
    )
    .option("--into <folder>", "with --studio: where the project is made", "signoff-demo")
    .option("--print-url", "with --studio: print nothing but the address with its token")
    .option("--open", "with --studio: open it in the browser")
    .addHelpText(
      "after",
      "\nExamples:\n  $ signoff demo --verbose\n  $ signoff demo --studio --open",
    )
    .action(async (flags: FollowFlags & DemoStudioFlags) => {
      if (flags.studio === true) {
        const { showDemoStudio } = await import("../studio/demo-studio-action.ts");
        return showDemoStudio(cli, flags);
      }
      const { startDemo } = await import("../draft/start-draft-command.ts");
      await startDemo(cli, flags);
    });
  demo
    .command("assistant")
    .description("serve the assistant of a small shop, for scenario packs to be tried on")
    .option("--port <n>", "where it listens; 0 takes any free port", wholeNumberFlag, 8787)
    .option(
      "--defect <name>",
      "a known fault: carryover, temporal, direct-answer, garbage, slow, close, error-500 and more; may be given more than once",
      collect,
    )
    .option("--defect-file <file>", "faults from a file, one per line, read before each answer")
    .option("--json", "print its address and defects as one JSON document")
    .action(async (_: DemoAssistantFlags, command: Command) => {
      const { serveDemoAssistant } = await import("./demo-assistant-action.ts");
      // `demo` takes --json for itself, wherever it is written.
      await serveDemoAssistant(cli, command.optsWithGlobals());
    });
}
