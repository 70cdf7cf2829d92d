import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { withProgress } from "../shell/common-options.ts";
import { collect, portFlag } from "../shell/flag-values.ts";
import type { FollowFlags } from "../shell/follow-run.ts";
import type { DemoStudioFlags } from "../studio/demo-studio-action.ts";
import type { DemoAssistantFlags } from "./demo-assistant-action.ts";

/** `signoff demo`: an offline writer and reviewer that work on a text until both sign. */
export function registerDemo(program: Command, cli: CliContext): void {
  const demo = withProgress(program.command("demo"))
    .description("watch a writer and a reviewer work on a text, offline, until both sign")
    .option("--json", "print the session as one JSON document")
    .option("--studio", "create a demo project with every feature and open the studio on it")
    .option("--into <folder>", "with --studio: folder of the demo project", "signoff-demo")
    .option("--print-url", "with --studio: print only the address with its token")
    .option("--open", "with --studio: open it in the browser")
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
    .description("serve the assistant of a small shop, to try scenario packs on")
    .option("--port <n>", "port to listen on; 0 takes any free port", portFlag, 8787)
    .option(
      "--defect <name>",
      "a known fault: carryover, temporal, direct-answer, garbage, slow, close, error-500 and more; can be repeated",
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
