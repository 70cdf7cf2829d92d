import { standInModel } from "../../domain/settings/choose-models.ts";
import { probeOllama } from "../../wiring/models/offered-models.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import type { CliContext } from "./cli-context.ts";
import { settingsFor } from "./cli-settings.ts";
import { canAsk } from "./confirm.ts";
import type { JsonFlags } from "./print.ts";

/** The models of an Ollama that answers. */
export async function installedModels(cli: CliContext, root: string): Promise<readonly string[]> {
  const loaded = await settingsFor(cli, { root, quiet: true });
  return (await probeOllama(runnersOf({ ...cli, root, loaded }))) ?? [];
}

export type PickedModel =
  | { readonly kind: "picked"; readonly model: string }
  /** There is no one to ask, or nothing to choose from. */
  | { readonly kind: "open" }
  | { readonly kind: "cancelled" };

/** One of Ollama's models, or the stand-ins if the user wants them, picked at the terminal. */
export async function chooseModel(
  cli: CliContext,
  about: {
    readonly found: readonly string[];
    readonly flags: JsonFlags;
    readonly question: string;
  },
): Promise<PickedModel> {
  const { found, flags, question } = about;
  if (found.length === 0 || flags.json === true || !canAsk(cli)) return { kind: "open" };
  const { select, isCancel } = await import("@clack/prompts");
  const answer = await select({
    message: `Ollama is running. ${question}`,
    options: [...found, standInModel].map((value) => ({ value })),
    output: process.stderr,
  });
  return isCancel(answer) ? { kind: "cancelled" } : { kind: "picked", model: answer };
}
