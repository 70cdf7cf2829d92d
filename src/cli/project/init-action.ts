import { starterConfig } from "../../contract/config/starter-config.ts";
import { modelUse, standInModel } from "../../domain/settings/choose-models.ts";
import { probeOllama } from "../../wiring/models/offered-models.ts";
import { newProjectId } from "../../wiring/project/project-id.ts";
import { configFileOf, createConfig } from "../../wiring/settings/config-file.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { canAsk } from "../shell/confirm.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printErr, printJson, printOut } from "../shell/print.ts";
import { runnersFor } from "../shell/runners-for.ts";
import { accent, muted } from "../shell/styles.ts";

export interface InitFlags extends JsonFlags {
  readonly model?: string;
}

export async function initProject(cli: CliContext, flags: InitFlags): Promise<void> {
  const root = cli.cwd;
  const { exists } = configFileOf(root);
  const found = exists || flags.model !== undefined ? [] : await installed(cli, root);
  const model =
    flags.model === undefined
      ? await chosen(cli, found, flags)
      : modelUse(flags.model, "flag").model;
  if (model === undefined) {
    cli.end(exitCode.interrupted);
    return;
  }
  const path = await createConfig(root, starterConfig(model, newProjectId(root)));
  if (flags.json === true) return printJson(cli, { path, model, ollama_models: found });
  printOut(cli, `Wrote ${path}: ${model} writes and reviews.`);
  const [first] = found;
  if (model === standInModel && first !== undefined) {
    const text = `Ollama is running: \`signoff config set models.writer ${first}\` makes it write and review.`;
    printErr(cli, [accent(text)]);
  }
  printErr(cli, [muted('Next: signoff draft "what it is about"')]);
}

async function installed(cli: CliContext, root: string): Promise<readonly string[]> {
  const loaded = await settingsFor(cli, { root, quiet: true });
  return (await probeOllama(runnersFor(cli, root, loaded))) ?? [];
}

/** Stand-ins, unless the user picks one of Ollama's models at the terminal; `undefined` when they cancel. */
async function chosen(
  cli: CliContext,
  found: readonly string[],
  flags: InitFlags,
): Promise<string | undefined> {
  if (found.length === 0 || flags.json === true || !canAsk(cli)) return standInModel;
  const { select, isCancel } = await import("@clack/prompts");
  const answer = await select({
    message: "Ollama is running. Which model should write and review?",
    options: [...found, standInModel].map((value) => ({ value })),
    output: process.stderr,
  });
  return isCancel(answer) ? undefined : answer;
}
