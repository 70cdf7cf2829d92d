import { type Command, Option } from "commander";
import { ciFormats } from "../../contract/gates/ci-format-names.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { byHelp, pathsHelp, whyHelp } from "../shell/common-options.ts";
import { collect, wholeNumberFlag } from "../shell/flag-values.ts";
import type { JsonFlags } from "../shell/print.ts";
import type {
  AckFlags,
  DismissFlags,
  MoveFlags,
  OverrideFlags,
  WarnFlags,
} from "./notes-act-actions.ts";
import { withScope } from "./notes-flags.ts";
import type { NotesImportFlags } from "./notes-import-action.ts";
import type { NotesInitFlags } from "./notes-init-action.ts";
import type { NotesIngestFlags, PromptFlags } from "./notes-live-actions.ts";
import type { NotesCheckFlags } from "./notes-read-actions.ts";

const expiresHelp = "last day on which the ruling holds, as YYYY-MM-DD";
const acts = () => import("./notes-act-actions.ts");
const readers = () => import("./notes-read-actions.ts");
const live = () => import("./notes-live-actions.ts");

/** What people decide about reviews, and what CI and archives read. */
export function registerNoteActs(notes: Command, cli: CliContext): void {
  withScope(notes.command("ack").argument("[pairs...]", "NOTE:GATE"))
    .description("confirm that earlier reviews still hold; all pairs or none")
    .option("--reason <text>", whyHelp)
    .option("--trivial", "all pairs whose note changed only in parts that the gate does not watch")
    .option("--expires <day>", expiresHelp)
    .option("--dry-run", "list them and change nothing")
    .option("--by <name>", byHelp)
    .action(async (names: readonly string[], flags: AckFlags) =>
      (await acts()).acknowledge(cli, names, flags),
    );
  withScope(notes.command("override").argument("<pairs...>", "NOTE:GATE"))
    .description("put a person's verdict in the place of a review's; all pairs or none")
    .addOption(
      new Option("--to <decision>", "the verdict that counts from now on")
        .choices(["pass", "warn", "fail"])
        .makeOptionMandatory(),
    )
    .option("--reason <text>", whyHelp)
    .option("--expires <day>", expiresHelp)
    .option("--dry-run", "list them and change nothing")
    .option("--by <name>", byHelp)
    .action(async (names: readonly string[], flags: OverrideFlags) =>
      (await acts()).override(cli, names, flags),
    );
  notes
    .command("dismiss")
    .argument("<id>", "the finding's id in `notes warns`, or its start")
    .description("rule that a finding needs no work")
    .option("--reason <text>", whyHelp)
    .option("--expires <day>", expiresHelp)
    .option("--by <name>", byHelp)
    .action(async (id: string, flags: DismissFlags) => (await acts()).dismiss(cli, id, flags));
  withScope(notes.command("warns").argument("[paths...]", pathsHelp))
    .description("list open warnings and failures, or dismiss one")
    .option("--dismiss <id>", "same as `notes dismiss <id>`")
    .option("--reason <text>", whyHelp)
    .option("--by <name>", byHelp)
    .option("--dismissed", "include dismissed findings")
    .addOption(formatOption())
    .action(async (paths: readonly string[], flags: WarnFlags) =>
      (await acts()).showWork(cli, paths, flags),
    );
  notes
    .command("mv")
    .argument("[paths...]", "OLD NEW: a note or a folder of notes")
    .description("move notes with their links and reviews; a dry run unless --apply")
    .option("--apply", "make the changes")
    .option("--adopt", "follow notes that were moved by other means, such as git mv")
    .option("--by <name>", byHelp)
    .action(async (paths: readonly string[], flags: MoveFlags) =>
      (await acts()).moveNotesCommand(cli, paths, flags),
    );
  notes
    .command("lock")
    .description("reduce the lock file to the lines that count, adding recorded reviews")
    .action(async (flags: JsonFlags) => (await acts()).lockNotes(cli, flags));
  registerReading(notes, cli);
  registerLive(notes, cli);
}

function formatOption(): Option {
  return new Option("--format <format>", "output format").choices(["text", "json", ...ciFormats]);
}

function registerReading(notes: Command, cli: CliContext): void {
  withScope(notes.command("check").argument("[paths...]", pathsHelp))
    .description("for CI: does the lock prove that everything is reviewed and passes?")
    .addOption(formatOption())
    .action(async (paths: readonly string[], flags: NotesCheckFlags) =>
      (await readers()).checkNotesCommand(cli, paths, flags),
    );
  notes
    .command("history")
    .argument("<note>")
    .description("list every review and acceptance of a note")
    .action(async (note: string, flags: JsonFlags) =>
      (await readers()).showHistory(cli, note, flags),
    );
  notes
    .command("export")
    .argument("[notes...]", "notes (default: all)")
    .description("write the newest reviews as Markdown files")
    .action(async (paths: readonly string[], flags: JsonFlags) =>
      (await readers()).exportReviewsCommand(cli, paths, flags),
    );
  notes
    .command("init")
    .description("find notes and gates, and write a signoff.yaml; nothing is overwritten")
    .option("--judge <model>", "the model that judges (default: asks at a terminal)")
    .action(async (flags: NotesInitFlags) =>
      (await import("./notes-init-action.ts")).initNotes(cli, flags),
    );
  notes
    .command("import")
    .requiredOption("--from <sqlite>", "a review-store.sqlite of the original program")
    .option(
      "--model <name[=model]>",
      "only this model of the original, counted as that model here; can be repeated",
      collect,
    )
    .description("import acceptances, reviews and findings of the original program")
    .action(async (flags: NotesImportFlags) =>
      (await import("./notes-import-action.ts")).importReviewsCommand(cli, flags),
    );
}

function registerLive(notes: Command, cli: CliContext): void {
  withScope(notes.command("prompt").argument("[paths...]", pathsHelp))
    .description("write prompts for an external agent and wait for its replies")
    .addOption(
      new Option("--strategy <strategy>", "how pairs are grouped").choices(["by-note", "by-gate"]),
    )
    .option("--allow-dirty-gates", "review against uncommitted gates")
    .action(async (paths: readonly string[], flags: PromptFlags) =>
      (await live()).writePromptsCommand(cli, paths, flags),
    );
  notes
    .command("ingest")
    .description("resume a waiting run with the agent's reply")
    .requiredOption("--run <n>", "number of the run", wholeNumberFlag)
    .option("--input <file>", "the reply (default: the run's output.md)")
    .option("--model <model>", "the model that actually wrote it")
    .option("--by <name>", byHelp)
    .action(async (flags: NotesIngestFlags) => (await live()).ingestCommand(cli, flags));
  notes
    .command("retry")
    .argument("<run>", "number of a failed run", wholeNumberFlag)
    .description("start a new run with the same pairs, versions and texts")
    .action(async (number: number, flags: JsonFlags) =>
      (await live()).retryCommand(cli, number, flags),
    );
}
