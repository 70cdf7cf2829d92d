import { type Command, InvalidArgumentError, Option } from "commander";
import { budgetHelp, byHelp } from "../shell/common-options.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";

/** Which notes and gates a command is about. */
export function withScope(command: Command): Command {
  return command
    .option("--gate <gate>", "only this gate or lens; can be repeated", collect)
    .option("--note <note>", "only this note; can be repeated", collect)
    .option("--changed-since <rev>", "only notes that differ from this revision")
    .option("--where <key=value>", "only notes whose front matter has this value", collect)
    .option("--model <model>", "model that judges (default: notes.models)", collectNames)
    .option("--panel <name>", "the verdicts of this panel of notes.panels")
    .option("--script <file>", "read all reviews from a file");
}

/** How reviews are planned and paid for. */
export function withReview(command: Command): Command {
  return withScope(command)
    .option("--plan", "print pairs, calls, tokens and cost, then stop")
    .addOption(
      new Option("--strategy <strategy>", "how pairs are grouped into calls").choices([
        "by-note",
        "by-gate",
        "cheapest",
      ]),
    )
    .option("--max-workers <n>", "maximum number of parallel calls", wholeNumberFlag, 4)
    .option("--budget <amounts>", budgetHelp)
    .option("--limit <n>", "review at most this many pairs", wholeNumberFlag)
    .option("--runner <model>", "same as --model")
    .option("--yes", "do not ask before many calls")
    .option("--no-auto-ack", "do not acknowledge trivial changes first")
    .option("--allow-dirty-gates", "review against uncommitted gates")
    .option("--again", "also review pairs that are fresh; the worst verdict counts")
    .option(
      "--repeat <n>",
      "ask until each pair has n answers, and let them vote; a tie is the worse",
      wholeNumberFlag,
    )
    .option("--retry-undecided", "ask again about pairs that stayed undecided twice")
    .option("--by <name>", byHelp)
    .option("-q, --quiet", "print only the result");
}

/** An empty name would be a separate partition in which nothing is reviewed. */
function collectNames(name: string, earlier: readonly string[] = []): readonly string[] {
  if (name.trim() === "") throw new InvalidArgumentError("Name a model.");
  return collect(name, earlier);
}
