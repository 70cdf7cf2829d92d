import type { z } from "zod";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Parsed } from "../documents/manifest-problem.ts";
import { checkShape, readDocument } from "../documents/read-document.ts";
import type { ManifestSource } from "../scenarios/parse-manifest.ts";
import { stageShape } from "./stage-shape.ts";

/** What the project's settings say for stages that leave it open. */
export type StageDefaults = Pick<StageManifest, "targetScore" | "repairMode" | "fileHints">;

export function parseStage(source: ManifestSource, defaults: StageDefaults): Parsed<StageManifest> {
  const document = readDocument(source.file, source.text);
  if (document.kind === "problems") return document;
  const shaped = checkShape(document.value, stageShape);
  if (shaped.kind === "problems") return shaped;
  const file = shaped.value;
  const value = {
    stageId: file.stage_id,
    moduleName: file.module_name,
    packManifest: file.pack_manifest,
    targetScore: file.target_score ?? defaults.targetScore,
    maxIterations: file.max_iterations,
    repairMode: file.repair_mode ?? defaults.repairMode,
    saveAutorunOnAccept: file.save_autorun_on_accept,
    ...defined({ analyst: file.analyst, coder: file.coder }),
    fileHints: { ...defaults.fileHints, ...file.file_hints },
    globalStage: stageText(file.global_stage),
    localStage: stageText(file.local_stage),
  };
  return { kind: "parsed", value };
}

function stageText(file: z.output<typeof stageShape>["local_stage"]) {
  return {
    goal: file?.goal ?? "",
    inScope: file?.in_scope ?? [],
    outOfScope: file?.out_of_scope ?? [],
    acceptance: file?.acceptance ?? [],
  };
}
