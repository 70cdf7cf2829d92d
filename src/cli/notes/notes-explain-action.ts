import { explainPair } from "../../orchestration/gates/explain-pair.ts";
import { openNotesForReading } from "../../wiring/features/notes-reading.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { printJson } from "../shell/print.ts";
import { printLines } from "../shell/screen.ts";
import type { NotesSession } from "./notes-context.ts";
import { renderExplanations } from "./render-notes-status.ts";

/** Why one pair is what it is. */
export async function explainStatus(
  cli: CliContext,
  { root, loaded }: NotesSession,
  asked: { readonly pair: string; readonly models: readonly string[]; readonly json: boolean },
): Promise<void> {
  const { tools, close } = await openNotesForReading(root, cli.environment, loaded.settings);
  try {
    const pairs = await explainPair(tools, asked.pair, asked.models);
    if (asked.json) return printJson(cli, { pairs: pairs.map((one) => ({ ...one })) });
    printLines(cli.screen.out, renderExplanations(pairs, cli.layoutOf(cli.screen.out)));
  } finally {
    close();
  }
}
