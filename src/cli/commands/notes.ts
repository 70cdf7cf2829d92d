import { type Command, Option } from "commander";
import type { CliContext } from "../cli-context.ts";
import { wholeNumber } from "./draft.ts";
import type { ReviewFlags } from "./notes-review-action.ts";
import type { StatusFlags } from "./notes-status-action.ts";

/** `signoff notes …`: which notes have to be reviewed against which gates, and the proof that they were. */
export function registerNotes(program: Command, cli: CliContext): void {
  const notes = program
    .command("notes")
    .description("review the notes of a repository against gates, only what is stale");
  withScope(
    notes.command("status").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("which pairs of note and gate are stale, and why")
    .addOption(
      new Option("--reason <reason...>", "only pairs that are stale for this reason").choices([
        "missing-review",
        "gate-changed",
        "note-changed",
        "undecided",
      ]),
    )
    .option("--diff", "show what changed since the accepted version")
    .option("--strict-format", "reviews under an older prompt format are stale")
    .option("--explain <note:gate>", "say why one pair is what it is")
    .option("--all", "list every note")
    .action(async (paths: readonly string[], flags: StatusFlags) => {
      const { showStatus } = await import("./notes-status-action.ts");
      await showStatus(cli, paths, flags);
    });
  withReview(
    notes.command("review").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("review what is stale, note by note; repeating the command goes on")
    .action(async (paths: readonly string[], flags: ReviewFlags) => {
      const { reviewNotesCommand } = await import("./notes-review-action.ts");
      await reviewNotesCommand(cli, { paths, gates: [], flags, strategy: "by-note" });
    });
  withReview(notes.command("sweep").argument("<gates...>", "gates or lenses"))
    .description("review what is stale, gate by gate")
    .action(async (gates: readonly string[], flags: ReviewFlags) => {
      const { reviewNotesCommand } = await import("./notes-review-action.ts");
      await reviewNotesCommand(cli, { paths: [], gates, flags, strategy: "by-gate" });
    });
}

function withScope(command: Command): Command {
  return command
    .option("--gate <gate...>", "only these gates or lenses")
    .option("--note <note...>", "only these notes")
    .option("--changed-since <rev>", "only notes that differ from this revision")
    .option("--where <key=value...>", "only notes whose front matter has this value")
    .option("--model <model...>", "who judges; the settings' models when absent")
    .option("--script <file>", "take all reviews from a file")
    .option("--json", "print one JSON document");
}

function withReview(command: Command): Command {
  return withScope(command)
    .option("--plan", "print pairs, calls, tokens and cost, and stop")
    .addOption(
      new Option("--strategy <strategy>", "how pairs are grouped into calls").choices([
        "by-note",
        "by-gate",
        "cheapest",
      ]),
    )
    .option("--max-workers <n>", "most calls at once", wholeNumber, 4)
    .option("--budget <amounts>", "stop before exceeding it: 0.50usd, 20000tokens, 90s")
    .option("--limit <n>", "at most this many pairs", wholeNumber)
    .option("--runner <model>", "the same as --model")
    .option("--yes", "do not ask before many calls")
    .option("--no-auto-ack", "do not acknowledge trivial changes first")
    .option("--allow-dirty-gates", "review against gates that are not committed")
    .option("--retry-undecided", "ask again about pairs that were left undecided twice")
    .option("--by <name>", "who acknowledges")
    .option("-q, --quiet", "show the result only");
}
