import { dirname, relative, resolve } from "node:path";
import { loadStageManifest } from "../../adapters/workspace/manifest-files.ts";
import { deciderOf } from "../../domain/evidence/decider-of.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { specHashOf } from "../../orchestration/scenarios/run-pack.ts";
import type { Stage } from "../../orchestration/stages/stage.ts";
import { sha256 } from "../project/sha256.ts";
import { loadPackManifest } from "./manifests.ts";

/** All stages of a project are in one folder. */
export const stagesName = "stage_agent_loops";

/** The stage that a manifest describes, with its pack. The pack's path is relative to the manifest. */
export function openStage(
  root: string,
  settings: Settings,
  about: { readonly path: string; readonly assistantUrl?: string; readonly analyst?: string },
): Stage {
  const manifest = loadStageManifest(about.path, settings.stages);
  const packPath = resolve(dirname(about.path), manifest.packManifest);
  const pack = loadPackManifest(root, packPath);
  return {
    manifest,
    decider: deciderOf(about.analyst ?? analystOf({ manifest }, settings)),
    manifestPath: relative(root, about.path),
    pack,
    packHash: specHashOf(pack, sha256),
    folder: `${settings.scenarios.outputDir}/${stagesName}/${manifest.stageId}`,
    ...defined({ assistantUrl: about.assistantUrl }),
  };
}

/** The model that judges: the stage's own analyst, else the one of the settings. */
export function analystOf(
  { manifest }: Pick<Stage, "manifest">,
  { models, aliases }: Settings,
): string {
  const { analyst } = manifest;
  if (analyst === undefined) return models.analyst.model;
  if (typeof analyst === "string") return modelUse(analyst, "default", aliases).model;
  throw new ConfigurationError("The analyst must be the name of a model.", {
    code: "analyst-invalid",
    hint: "Name a command under `commands` of signoff.yaml and use command/<name>.",
  });
}
