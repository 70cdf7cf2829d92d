import { type Command, InvalidArgumentError } from "commander";
import type { CliContext } from "../shell/cli-context.ts";
import { pathsHelp } from "../shell/common-options.ts";
import type { StatusFlags } from "./notes-context.ts";
import { withReview, withScope } from "./notes-flags.ts";
import type { NotesReviewFlags, reviewNotesCommand } from "./notes-review-action.ts";
import { registerNoteActs } from "./register-note-acts.ts";

/** `signoff notes …`: which notes need a review against which gates, and the proof that they passed. */
export function registerNotes(program: Command, cli: CliContext): void {
  const notes = program
    .command("notes")
    .description("review the notes of a repository against gates; only stale pairs are reviewed");
  withScope(notes.command("status").argument("[paths...]", pathsHelp))
    .description("show which pairs of note and gate are stale, and why")
    .option("--reason <reason>", `only pairs stale because of: ${reasons.join(", ")}`, readReason)
    .option("--diff", "show what changed since the accepted version")
    .option("--strict-format", "treat reviews with an older prompt format as stale")
    .option("--explain <note:gate>", "explain the state of one pair")
    .option("--all", "list every note")
    .action(async (paths: readonly string[], flags: StatusFlags) =>
      (await import("./notes-status-action.ts")).showStatus(cli, paths, flags),
    );
  const review = async (asked: Parameters<typeof reviewNotesCommand>[1]) =>
    (await import("./notes-review-action.ts")).reviewNotesCommand(cli, asked);
  withReview(notes.command("review").argument("[paths...]", pathsHelp))
    .description("review stale pairs, note by note; run it again to resume")
    .action((paths: readonly string[], flags: NotesReviewFlags) =>
      review({ paths, gates: [], flags, strategy: "by-note" }),
    );
  withReview(notes.command("sweep").argument("<gates...>", "gates or lenses"))
    .description("review stale pairs, gate by gate")
    .action((gates: readonly string[], flags: NotesReviewFlags) =>
      review({ paths: [], gates, flags, strategy: "by-gate" }),
    );
  registerNoteActs(notes, cli);
}

const reasons = ["missing-review", "gate-changed", "note-changed", "undecided"] as const;

function readReason(text: string, earlier: StatusFlags["reason"] = []): StatusFlags["reason"] {
  const reason = reasons.find((known) => known === text);
  if (reason === undefined) throw new InvalidArgumentError(`Use ${reasons.join(", ")}.`);
  return [...earlier, reason];
}
