import { resolve } from "node:path";
import { importReviews } from "../../orchestration/gates/import-reviews.ts";
import { loadOriginalReviews, openNotes } from "../../wiring/features/notes.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { layOut } from "../shell/lay-out.ts";
import { printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import { notesSession } from "./notes-context.ts";

export async function importReviewsCommand(
  cli: CliContext,
  flags: { readonly from: string; readonly json?: boolean },
): Promise<void> {
  const pairs = loadOriginalReviews(resolve(cli.cwd, flags.from));
  const { root, loaded } = await notesSession(cli, flags);
  const project = await openNotes(root, cli.environment, { loaded });
  try {
    const { imported, known, undecided, lock } = await importReviews(
      project.tools,
      pairs,
      project.engine.newId,
    );
    if (flags.json === true) return printJson(cli, { imported, known, undecided });
    const text = `${imported} acceptances imported, ${known} known already, ${undecided} undecided left out. ${lock.path} has ${lock.lines} lines.`;
    printLines(cli.screen.out, layOut([{ text }], cli.layoutOf(cli.screen.out)));
  } finally {
    project.close();
  }
}
