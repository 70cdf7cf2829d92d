import { starterConfig } from "../../contract/config/starter-config.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import { newProjectId } from "../../wiring/project/project-id.ts";
import { configFileOf, createConfig } from "../../wiring/settings/config-file.ts";
import { chooseModel, installedModels, type PickedModel } from "../shell/choose-model.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { copyable } from "../shell/copyable-command.ts";
import { exitCode } from "../shell/exit-code.ts";
import { type JsonFlags, printErr, printJson, printOut } from "../shell/print.ts";
import { muted } from "../shell/styles.ts";

export interface InitFlags extends JsonFlags {
  readonly model?: string;
}

export async function initProject(cli: CliContext, flags: InitFlags): Promise<void> {
  const root = cli.cwd;
  const { exists } = configFileOf(root);
  const found = exists || flags.model !== undefined ? [] : await installedModels(cli, root);
  const question = "Which model should write and review?";
  const picked: PickedModel =
    flags.model === undefined
      ? await chooseModel(cli, { found, flags, question })
      : { kind: "picked", model: modelUse(flags.model, "flag").model };
  if (picked.kind === "cancelled") return cli.end(exitCode.interrupted);
  const model = picked.kind === "picked" ? picked.model : undefined;
  const path = await createConfig(root, starterConfig(model, newProjectId(root)));
  if (flags.json === true) {
    return printJson(cli, { path, model: model ?? null, ollama_models: found });
  }
  const who = model === undefined ? ". It names no model yet." : `: ${model} writes and reviews.`;
  printOut(cli, `Wrote ${path}${who}`);
  const next =
    model === undefined
      ? `signoff config set models.writer ${found[0] ?? "ollama/mistral"}`
      : 'signoff draft "what it is about"';
  printErr(cli, [[muted("Next: "), copyable(next)]]);
}
