import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { budgetHelp, withProgress } from "../shell/common-options.ts";
import { collect } from "../shell/flag-values.ts";
import type { DraftFlags } from "./draft-flags.ts";

/** `signoff draft`: write a text, have it reviewed until both sides sign, show each turn. */
export function registerDraft(program: Command, cli: CliContext): void {
  const draft = program
    .command("draft")
    .description("write a text and have it reviewed until both sides sign")
    .argument("<brief>", "what to write about, 1 to 1000 characters")
    .option("-r, --recipe <id>", "what kind of text to write", "slogan")
    .option("-m, --model <model>", "model that writes, and reviews unless another is named")
    .option("--reviewer-model <model>", "model that reviews")
    .option("--reviewer <name[=model]>", "add a reviewer to the panel; can be repeated", collect)
    .addOption(
      new Option("--panel <rule>", "how a panel decides").choices(["all", "majority", "any"]),
    )
    .option("--script <file>", "read all replies from a file")
    .option("--max-turns <n>", "maximum number of turns, 1 to 10")
    .option("--temperature <t>", "for both roles, 0 to 2 (default: the recipe's)")
    .option("--max-tokens <n>", "length of a reply, 1 to 4096 (default: the recipe's)")
    .option("--timeout <seconds>", "longest time without a token, 1 to 600")
    .option("--total-timeout <seconds>", "longest time for one reply, 1 to 3600")
    .option("--retries <n>", "attempts per call, including the first, 1 to 20")
    .option("--base-url <url>", "address of Ollama")
    .option("--candidates <n>", "drafts per turn, 1 to 8; the best is kept")
    .option("--seed <n>", "makes models that support seeds reproducible")
    .addOption(
      new Option("--approval <form>", "how the reviewer approves").choices([
        "phrase",
        "structured",
      ]),
    )
    .option("--no-early-stop", "continue even if the drafts no longer change")
    .option("--budget <amounts>", budgetHelp)
    .option("--new", "start over instead of resuming an unfinished run")
    .option(
      "-o, --output <file>",
      "save the result: .json the session, .txt or .md the transcript, - the bare text",
    )
    .option("--json", "print the session as one JSON document");
  withProgress(draft)
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .addHelpText("after", examples)
    .action(async (brief: string, flags: DraftFlags) => {
      const { startDraftCommand } = await import("./start-draft-command.ts");
      await startDraftCommand(cli, brief, flags);
    });
}

const examples = `
After a crash or Ctrl-C, run the same command again: it resumes, and no model is asked twice.

Examples:
  $ signoff draft "eco-friendly water bottles"
  $ signoff draft "a night train to Lisbon" --max-turns 3 --candidates 3
  $ signoff draft "smart watches" --model mistral --reviewer-model anthropic/claude-sonnet-4-5
  $ signoff draft "smart watches" --reviewer brand --reviewer legal --panel all
  $ signoff draft "smart watches" --script replies.json --json`;
