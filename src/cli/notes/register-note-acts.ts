import { type Command, Option } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { wholeNumberFlag } from "../shell/flag-values.ts";
import type { AckFlags, MoveFlags, WarnFlags } from "./notes-act-actions.ts";
import { withScope } from "./notes-flags.ts";
import type { NotesIngestFlags, PromptFlags } from "./notes-live-actions.ts";
import type { NotesCheckFlags } from "./notes-read-actions.ts";

/** People's acts on reviews, and what CI and archives read. */
export function registerNoteActs(notes: Command, cli: CliContext): void {
  withScope(notes.command("ack").argument("[pairs...]", "NOTE:GATE"))
    .description("say that earlier reviews still hold; all pairs or none")
    .option("--reason <text>", "why; kept with the acknowledgement")
    .option("--trivial", "all pairs whose note changed only where the gate does not look")
    .option("--dry-run", "show them and change nothing")
    .option("--by <name>", "who acknowledges")
    .action(async (names: readonly string[], flags: AckFlags) => {
      const { acknowledge } = await import("./notes-act-actions.ts");
      await acknowledge(cli, names, flags);
    });
  withScope(
    notes.command("warns").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("the work list: open warnings and failures")
    .option("--dismiss <id>", "this finding is no work; needs --reason")
    .option("--reason <text>", "why")
    .option("--by <name>", "who dismisses")
    .option("--dismissed", "show dismissed findings as well")
    .action(async (paths: readonly string[], flags: WarnFlags) => {
      const { showWork } = await import("./notes-act-actions.ts");
      await showWork(cli, paths, flags);
    });
  notes
    .command("mv")
    .argument("[paths...]", "OLD NEW: a note or a folder of notes")
    .description("move notes with their links and reviews; a dry run unless --apply")
    .option("--apply", "do it")
    .option("--adopt", "follow notes that were moved by other means, such as git mv")
    .option("--by <name>", "who moves")
    .option("--json", "print one JSON document")
    .action(async (paths: readonly string[], flags: MoveFlags) => {
      const { moveNotesCommand } = await import("./notes-act-actions.ts");
      await moveNotesCommand(cli, paths, flags);
    });
  notes
    .command("lock")
    .description("write the lock file again from what is known")
    .option("--json", "print one JSON document")
    .action(async (flags: { readonly json?: boolean }) => {
      const { lockNotes } = await import("./notes-act-actions.ts");
      await lockNotes(cli, flags);
    });
  registerReading(notes, cli);
  registerLive(notes, cli);
}

function registerReading(notes: Command, cli: CliContext): void {
  withScope(
    notes.command("check").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("for CI: does the lock prove that everything is reviewed and passes?")
    .addOption(
      new Option("--format <format>", "how to say it").choices([
        "text",
        "json",
        "junit",
        "sarif",
        "github",
      ]),
    )
    .action(async (paths: readonly string[], flags: NotesCheckFlags) => {
      const { checkNotesCommand } = await import("./notes-read-actions.ts");
      await checkNotesCommand(cli, paths, flags);
    });
  notes
    .command("history")
    .argument("<note>")
    .description("every review and acceptance of a note")
    .option("--json", "print one JSON document")
    .action(async (note: string, flags: { readonly json?: boolean }) => {
      const { showHistory } = await import("./notes-read-actions.ts");
      await showHistory(cli, note, flags);
    });
  notes
    .command("export")
    .argument("[notes...]", "notes; all when none is given")
    .description("write the newest reviews as markdown files")
    .option("--json", "print one JSON document")
    .action(async (paths: readonly string[], flags: { readonly json?: boolean }) => {
      const { exportReviewsCommand } = await import("./notes-read-actions.ts");
      await exportReviewsCommand(cli, paths, flags);
    });
  notes
    .command("init")
    .description("install the starter gates and a signoff.yaml")
    .option("--json", "print one JSON document")
    .action(async (flags: { readonly json?: boolean }) => {
      const { initNotes } = await import("./notes-init-action.ts");
      await initNotes(cli, flags);
    });
  notes
    .command("import")
    .requiredOption("--from <sqlite>", "a review-store.sqlite of the original program")
    .description("take over acceptances and reviews of the original program")
    .option("--json", "print one JSON document")
    .action(async (flags: { readonly from: string; readonly json?: boolean }) => {
      const { importReviewsCommand } = await import("./notes-import-action.ts");
      await importReviewsCommand(cli, flags);
    });
}

function registerLive(notes: Command, cli: CliContext): void {
  withScope(
    notes.command("prompt").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("write prompts for an agent outside and wait for its replies")
    .addOption(
      new Option("--strategy <strategy>", "how pairs are grouped").choices(["by-note", "by-gate"]),
    )
    .option("--allow-dirty-gates", "review against gates that are not committed")
    .action(async (paths: readonly string[], flags: PromptFlags) => {
      const { writePromptsCommand } = await import("./notes-live-actions.ts");
      await writePromptsCommand(cli, paths, flags);
    });
  notes
    .command("ingest")
    .description("go on with a waiting run from the agent's reply")
    .requiredOption("--run <n>", "number of the run", wholeNumberFlag)
    .option("--input <file>", "the reply; the run's output.md when absent")
    .option("--model <model>", "the model that really wrote it")
    .option("--by <name>", "who ingests")
    .option("--json", "print one JSON document")
    .action(async (flags: NotesIngestFlags) => {
      const { ingestCommand } = await import("./notes-live-actions.ts");
      await ingestCommand(cli, flags);
    });
  notes
    .command("retry")
    .argument("<run>", "number of a failed run", wholeNumberFlag)
    .description("a new run with the same pairs, versions and texts")
    .option("--json", "print one JSON document")
    .action(async (number: number, flags: { readonly json?: boolean }) => {
      const { retryCommand } = await import("./notes-live-actions.ts");
      await retryCommand(cli, number, flags);
    });
}
