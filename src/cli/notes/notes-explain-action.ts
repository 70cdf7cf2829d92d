import { explainPair } from "../../orchestration/gates/explain-pair.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printResult } from "../shell/print.ts";
import type { NotesSession } from "./notes-context.ts";
import { explanationLines } from "./render-notes-status.ts";
import { readNotes } from "./with-notes.ts";

/** Explains the state of one pair. */
export async function explainStatus(
  cli: CliContext,
  session: NotesSession,
  asked: { readonly pair: string; readonly models: readonly string[]; readonly json: boolean },
): Promise<void> {
  await readNotes(cli, session, async (tools) => {
    const pairs = await explainPair(tools, asked.pair, asked.models);
    const json = { pairs: pairs.map((one) => ({ ...one })) };
    printResult(cli, asked, json, explanationLines(pairs));
  });
}
