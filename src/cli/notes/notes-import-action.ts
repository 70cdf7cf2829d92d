import { resolve } from "node:path";
import { importReviews } from "../../orchestration/gates/import-reviews.ts";
import { loadOriginalReviews } from "../../wiring/features/notes.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type JsonFlags, printResult } from "../shell/print.ts";
import { notesSession } from "./notes-context.ts";
import { changeNotes } from "./with-notes.ts";

export async function importReviewsCommand(
  cli: CliContext,
  flags: JsonFlags & { readonly from: string },
): Promise<void> {
  const pairs = loadOriginalReviews(resolve(cli.cwd, flags.from));
  await changeNotes(cli, await notesSession(cli, flags), async ({ tools, engine }) => {
    const { imported, known, undecided, lock } = await importReviews(tools, pairs, engine.newId);
    const text = `${imported} acceptances imported, ${known} already known, ${undecided} undecided skipped. ${lock.path} has ${lock.lines} lines.`;
    printResult(cli, flags, { imported, known, undecided }, text);
  });
}
