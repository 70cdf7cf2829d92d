import type { Command } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { ModelsFlags } from "./models-action.ts";

/** `signoff models`: who can be asked. */
export function registerModels(program: Command, cli: CliContext): void {
  program
    .command("models")
    .description("what each provider offers, and which model is the default")
    .option("--base-url <url>", "where Ollama answers")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (flags: ModelsFlags) => {
      const { showModels } = await import("./models-action.ts");
      await showModels(cli, flags);
    });
}

const examples = `
OpenAI and Anthropic are asked when OPENAI_API_KEY or ANTHROPIC_API_KEY is set.

Examples:
  $ signoff models
  $ signoff models --base-url http://gpu:11434 --json`;
