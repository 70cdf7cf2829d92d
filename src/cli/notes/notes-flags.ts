import { type Command, InvalidArgumentError, Option } from "commander";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";

/** Which notes and gates a command is about. */
export function withScope(command: Command): Command {
  return command
    .option("--gate <gate>", "only this gate or lens; may be given more than once", collect)
    .option("--note <note>", "only this note; may be given more than once", collect)
    .option("--changed-since <rev>", "only notes that differ from this revision")
    .option("--where <key=value>", "only notes whose front matter has this value", collect)
    .option("--model <model>", "who judges; the settings' models when absent", collectNames)
    .option("--script <file>", "take all reviews from a file")
    .option("--json", "print one JSON document");
}

/** How reviews are planned and paid for. */
export function withReview(command: Command): Command {
  return withScope(command)
    .option("--plan", "print pairs, calls, tokens and cost, and stop")
    .addOption(
      new Option("--strategy <strategy>", "how pairs are grouped into calls").choices([
        "by-note",
        "by-gate",
        "cheapest",
      ]),
    )
    .option("--max-workers <n>", "most calls at once", wholeNumberFlag, 4)
    .option("--budget <amounts>", "stop before exceeding it: 0.50usd, 20000tokens, 90s")
    .option("--limit <n>", "at most this many pairs", wholeNumberFlag)
    .option("--runner <model>", "the same as --model")
    .option("--yes", "do not ask before many calls")
    .option("--no-auto-ack", "do not acknowledge trivial changes first")
    .option("--allow-dirty-gates", "review against gates that are not committed")
    .option("--retry-undecided", "ask again about pairs that were left undecided twice")
    .option("--by <name>", "who acknowledges")
    .option("-q, --quiet", "show the result only");
}

/** An empty name would be a partition of its own, in which nothing was ever reviewed. */
function collectNames(name: string, earlier: readonly string[] = []): readonly string[] {
  if (name.trim() === "") throw new InvalidArgumentError("Name a model.");
  return collect(name, earlier);
}
