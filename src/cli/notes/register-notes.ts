import { type Command, InvalidArgumentError } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import type { StatusFlags } from "./notes-context.ts";
import { withReview, withScope } from "./notes-flags.ts";
import type { NotesReviewFlags } from "./notes-review-action.ts";
import { registerNoteActs } from "./register-note-acts.ts";

/** `signoff notes …`: which notes have to be reviewed against which gates, and the proof that they were. */
export function registerNotes(program: Command, cli: CliContext): void {
  const notes = program
    .command("notes")
    .description("review the notes of a repository against gates, only what is stale");
  withScope(
    notes.command("status").argument("[paths...]", "notes or folders; all when none is given"),
  )
    .description("which pairs of note and gate are stale, and why")
    .option("--reason <reason>", `only pairs stale for: ${reasons.join(", ")}`, readReason)
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
    .action(async (paths: readonly string[], flags: NotesReviewFlags) => {
      const { reviewNotesCommand } = await import("./notes-review-action.ts");
      await reviewNotesCommand(cli, { paths, gates: [], flags, strategy: "by-note" });
    });
  withReview(notes.command("sweep").argument("<gates...>", "gates or lenses"))
    .description("review what is stale, gate by gate")
    .action(async (gates: readonly string[], flags: NotesReviewFlags) => {
      const { reviewNotesCommand } = await import("./notes-review-action.ts");
      await reviewNotesCommand(cli, { paths: [], gates, flags, strategy: "by-gate" });
    });
  registerNoteActs(notes, cli);
}

const reasons = ["missing-review", "gate-changed", "note-changed", "undecided"] as const;

function readReason(text: string, earlier: StatusFlags["reason"] = []): StatusFlags["reason"] {
  const reason = reasons.find((known) => known === text);
  if (reason === undefined) throw new InvalidArgumentError(`Use ${reasons.join(", ")}.`);
  return [...earlier, reason];
}
