import { standInModel } from "../../domain/settings/choose-models.ts";
import { probeOllama } from "../../wiring/models/offered-models.ts";
import type { CliContext } from "./cli-context.ts";
import { settingsFor } from "./cli-settings.ts";
import { canAsk } from "./confirm.ts";
import type { JsonFlags } from "./print.ts";
import { runnersFor } from "./runners-for.ts";

/** The models of an Ollama that answers. */
export async function installedModels(cli: CliContext, root: string): Promise<readonly string[]> {
  const loaded = await settingsFor(cli, { root, quiet: true });
  return (await probeOllama(runnersFor(cli, root, loaded))) ?? [];
}

/** Stand-ins, unless the user picks one of Ollama's models at the terminal; `undefined` when they cancel. */
export async function chooseModel(
  cli: CliContext,
  about: {
    readonly found: readonly string[];
    readonly flags: JsonFlags;
    readonly question: string;
  },
): Promise<string | undefined> {
  const { found, flags, question } = about;
  if (found.length === 0 || flags.json === true || !canAsk(cli)) return standInModel;
  const { select, isCancel } = await import("@clack/prompts");
  const answer = await select({
    message: `Ollama is running. ${question}`,
    options: [...found, standInModel].map((value) => ({ value })),
    output: process.stderr,
  });
  return isCancel(answer) ? undefined : answer;
}
