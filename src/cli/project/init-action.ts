import { starterConfig } from "../../contract/config/starter-config.ts";
import { modelUse, standInModel } from "../../domain/settings/choose-models.ts";
import { newProjectId } from "../../wiring/project/project-id.ts";
import { configFileOf, createConfig } from "../../wiring/settings/config-file.ts";
import { chooseModel, installedModels } from "../shell/choose-model.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printErr, printJson, printOut } from "../shell/print.ts";
import { accent, muted } from "../shell/styles.ts";

export interface InitFlags extends JsonFlags {
  readonly model?: string;
}

export async function initProject(cli: CliContext, flags: InitFlags): Promise<void> {
  const root = cli.cwd;
  const { exists } = configFileOf(root);
  const found = exists || flags.model !== undefined ? [] : await installedModels(cli, root);
  const model =
    flags.model === undefined
      ? await chooseModel(cli, { found, flags, question: "Which model should write and review?" })
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
