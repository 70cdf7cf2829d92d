import { explainPair } from "../../orchestration/gates/explain-pair.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import type { NotesSession } from "./notes-context.ts";
import { renderExplanations } from "./render-notes-status.ts";
import { readNotes } from "./with-notes.ts";

/** Why one pair is what it is. */
export async function explainStatus(
  cli: CliContext,
  session: NotesSession,
  asked: { readonly pair: string; readonly models: readonly string[]; readonly json: boolean },
): Promise<void> {
  await readNotes(cli, session, async (tools) => {
    const pairs = await explainPair(tools, asked.pair, asked.models);
    if (asked.json) return printJson(cli, { pairs: pairs.map((one) => ({ ...one })) });
    printLines(cli.screen.out, renderExplanations(pairs, cli.layoutOf(cli.screen.out)));
  });
}
