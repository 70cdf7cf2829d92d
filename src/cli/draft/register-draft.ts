import { type Command, InvalidArgumentError, Option } from "commander";
import { panelRules } from "../../domain/drafting/panel.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { budgetHelp, withProgress } from "../shell/common-options.ts";
import { collect, invalidFlag, wholeNumberFlag } from "../shell/flag-values.ts";
import type { DraftFlags, ReviewFlags } from "./draft-flags.ts";

/** `signoff draft`: write a text, have it reviewed until both sides sign, show each turn. */
export function registerDraft(program: Command, cli: CliContext): void {
  const draft = program
    .command("draft")
    .description("write a text and have it reviewed until both sides sign")
    .argument("[brief]", "what to write about: in words, @file, a path, or - for standard input")
    .option("--brief-file <file>", "read the brief from this file")
    .option("--context <files...>", "material that the writer may use; can be repeated")
    .option(
      "--from <file>",
      "start from this text: it is reviewed first, then written on if needed",
    )
    .option("-r, --recipe <id>", "what kind of text to write", "slogan")
    .option("-m, --model <model>", "model that writes, and reviews unless another is named")
    .option("--reviewer-model <model>", "model that reviews")
    .option("--max-turns <n>", "maximum number of turns, 1 to 10")
    .option("--candidates <n>", "drafts per turn, 1 to 8; the best is kept")
    .option("--no-early-stop", "continue even if the drafts no longer change")
    .option("--new", "start over instead of resuming an unfinished run")
    .option(
      "-o, --output <file>",
      "save the approved text (.md, .txt, or - for standard output) or the session (.json)",
    )
    .option("--record <file.md>", "save the record: every turn, review and signature")
    .option(
      "--batch <file.jsonl>",
      "draft each brief of a file of JSON lines; -o names the results",
    )
    .option("--jobs <n>", "briefs of a batch at a time, 1 to 32 (default: 4)", jobsFlag)
    .option("--json", "print the session as one JSON document");
  withLimits(withReviewers(draft));
  withProgress(draft)
    .addOption(new Option("--run-id <uuid>").hideHelp())
    .addHelpText("after", examples)
    .action(async (brief: string | undefined, flags: DraftFlags) => {
      if (flags.batch !== undefined) {
        const { startBatchCommand } = await import("./draft-batch.ts");
        return startBatchCommand(cli, brief, flags);
      }
      if (flags.jobs !== undefined) {
        throw invalidFlag("--jobs is for many briefs.", "Name their file with --batch.");
      }
      const { startDraftCommand } = await import("./start-draft-command.ts");
      await startDraftCommand(cli, brief, flags);
    });
}

function jobsFlag(text: string): number {
  const jobs = wholeNumberFlag(text);
  if (jobs < 1 || jobs > 32) throw new InvalidArgumentError("Use a whole number from 1 to 32.");
  return jobs;
}

/** `signoff review`: have a text reviewed as a draft would be, and write nothing. */
export function registerReview(program: Command, cli: CliContext): void {
  const review = program
    .command("review")
    .description("review a text by a recipe, and write nothing")
    .argument("<file>", "the text, or - for standard input")
    .option("-r, --recipe <id>", "what kind of text it is; required")
    .option("--brief <brief>", "what it should be about: in words, @file, or a path")
    .option("--brief-file <file>", "read the brief from this file")
    .option("--context <files...>", "material to check the text against; can be repeated")
    .option("-m, --model <model>", "model that reviews");
  withLimits(withReviewers(review))
    .option("--new", "start over instead of resuming an unfinished run")
    .option("--record <file.md>", "save the record: the review and its signatures");
  withProgress(review)
    .addHelpText("after", reviewExamples)
    .action(async (file: string, flags: ReviewFlags) => {
      const { startReviewCommand } = await import("./start-draft-command.ts");
      await startReviewCommand(cli, file, flags);
    });
}

const reviewExamples = `
Exit code 0: the reviewers approved the text as it is. 1: they did not, and said why.

Examples:
  $ signoff review RELEASE.md --recipe release_note --model ollama/mistral
  $ signoff review RELEASE.md --recipe release_note --context CHANGELOG.md --record review.md`;

const examples = `
After a crash or Ctrl-C, run the same command again: it resumes, and no model is asked twice.

A line of a batch is a brief in quotes, or {"id": …, "brief": …, "recipe": …, "context": [<files>], "from": <file>}; brief
or from is needed.

Examples:
  $ signoff draft "eco-friendly water bottles"
  $ signoff draft "a night train to Lisbon" --max-turns 3 --candidates 3
  $ signoff draft "smart watches" --model mistral --reviewer-model anthropic/claude-sonnet-4-5
  $ signoff draft "smart watches" --reviewer brand --reviewer legal --panel all
  $ signoff draft @brief.md --recipe release_note --context CHANGELOG.md -o RELEASE.md
  $ git log --oneline v1.0.. | signoff draft - --recipe changelog_entry -o -
  $ signoff draft --from README.md --recipe readme_intro -o README.md
  $ signoff draft --batch briefs.jsonl --recipe product_description -o results.jsonl
  $ signoff draft "smart watches" --script replies.json --json`;

function withReviewers(command: Command): Command {
  return command
    .option(
      "--reviewer <name[=model]>",
      "add a reviewer, or choose the model of one on the recipe's panel; can be repeated",
      collect,
    )
    .addOption(
      new Option("--panel <rule>", "how a panel decides (default: the recipe's, else all)").choices(
        panelRules,
      ),
    )
    .addOption(
      new Option("--approval <form>", "how the reviewer approves").choices([
        "phrase",
        "structured",
      ]),
    )
    .option("--script <file>", "read all replies from a file");
}

function withLimits(command: Command): Command {
  return command
    .option("--temperature <t>", "of every model, 0 to 2 (default: the recipe's)")
    .option("--max-tokens <n>", "length of a reply, 1 to 32000 (default: the recipe's)")
    .option("--timeout <seconds>", "longest time without a token, 1 to 600")
    .option("--total-timeout <seconds>", "longest time for one reply, 1 to 3600")
    .option("--retries <n>", "attempts per call, including the first, 1 to 20")
    .option("--base-url <url>", "address of Ollama")
    .option("--seed <n>", "makes models that support seeds reproducible")
    .option("--budget <amounts>", budgetHelp);
}
