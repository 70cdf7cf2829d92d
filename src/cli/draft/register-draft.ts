import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { collect } from "../shell/flag-values.ts";
import type { DraftFlags } from "./draft-flags.ts";

/** `signoff draft`: write a text, have it reviewed until it is right, show each turn. */
export function registerDraft(program: Command, cli: CliContext): void {
  program
    .command("draft")
    .description("write a text and have it reviewed until both sides sign")
    .argument("<brief>", "what to write about, 1 to 1000 characters")
    .option("-r, --recipe <id>", "what kind of text to write", "slogan")
    .option("-m, --model <model>", "who writes, and reviews unless another reviewer is named")
    .option("--reviewer-model <model>", "who reviews")
    .option(
      "--reviewer <name[=model]>",
      "a member of the panel; may be given more than once",
      collect,
    )
    .addOption(
      new Option("--panel <rule>", "how a panel decides").choices(["all", "majority", "any"]),
    )
    .option("--script <file>", "take all replies from a file")
    .option("--max-turns <n>", "most turns, 1 to 10")
    .option("--temperature <t>", "of both roles, 0 to 2; else the recipe's own")
    .option("--max-tokens <n>", "length of a reply, 1 to 4096; else the recipe's own")
    .option("--timeout <seconds>", "for one call, 1 to 600")
    .option("--retries <n>", "attempts of one call, the first included, 1 to 20")
    .option("--base-url <url>", "where Ollama answers")
    .option("--candidates <n>", "drafts per turn, 1 to 8; the best goes on")
    .option("--seed <n>", "makes models that know seeds repeat themselves")
    .addOption(
      new Option("--approval <form>", "how the reviewer approves").choices([
        "phrase",
        "structured",
      ]),
    )
    .option("--no-early-stop", "go on even if drafts no longer change")
    .option(
      "--budget <amounts>",
      "stop before exceeding it: 0.50usd, 20000tokens, 90s, or a list of them",
    )
    .option("--new", "start afresh instead of going on with an unfinished run")
    .option(
      "-o, --output <file>",
      "save the result: .json the session, .txt or .md the story, - the bare text",
    )
    .option("--json", "print the session as one JSON document")
    .option("-q, --quiet", "show the result only")
    .option("-v, --verbose", "show everything that is said")
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .addHelpText("after", examples)
    .action(async (brief: string, flags: DraftFlags) => {
      const { startDraftCommand } = await import("./start-draft-command.ts");
      await startDraftCommand(cli, brief, flags);
    });
}

const examples = `
Typing the same command again after a crash or Ctrl-C goes on where it was; nothing is asked twice.

Examples:
  $ signoff draft "eco-friendly water bottles"
  $ signoff draft "a night train to Lisbon" --max-turns 3 --candidates 3
  $ signoff draft "smart watches" --model mistral --reviewer-model anthropic/claude-sonnet-4-5
  $ signoff draft "smart watches" --reviewer brand --reviewer legal --panel all
  $ signoff draft "smart watches" --script replies.json --json`;
