import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { InitFlags } from "./init-action.ts";

/** `signoff init`: makes this folder a project. */
export function registerInit(program: Command, cli: CliContext): void {
  program
    .command("init")
    .description("write a commented signoff.yaml here; a reachable Ollama is offered")
    .option("-m, --model <model>", "who writes and reviews; nothing is asked then")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (flags: InitFlags) => {
      const { initProject } = await import("./init-action.ts");
      await initProject(cli, flags);
    });
}

const examples = `
Examples:
  $ signoff init
  $ signoff init --model ollama/mistral`;
