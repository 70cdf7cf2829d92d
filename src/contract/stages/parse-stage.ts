import { z } from "zod";
import { repairModes } from "../../domain/scenarios/pack-loop.ts";
import type { StageManifest } from "../../domain/stages/stage-manifest.ts";
import { defined } from "../../domain/values/defined.ts";
import { mapParsed, type Parsed } from "../documents/file-problem.ts";
import { checkShape, type DocumentSource, readYaml } from "../documents/read-document.ts";
import { folderName } from "../scenarios/scenario-shape.ts";

const text = z.string().trim().min(1);
const texts = z.array(z.string());

const stageText = z.strictObject({
  goal: z.string().optional(),
  in_scope: texts.optional(),
  out_of_scope: texts.optional(),
  acceptance: texts.optional(),
});

const command = z.union([text, z.array(text).min(1)]);

export const stageShape = z.strictObject({
  schema_version: z.literal("stage_agent_loop_manifest_v1").optional(),
  stage_id: folderName,
  module_name: text,
  pack_manifest: text,
  target_score: z.int().min(0).max(100).optional(),
  max_iterations: z.int().min(1).max(100).default(6),
  repair_mode: z.enum(repairModes).optional(),
  save_autorun_on_accept: z.boolean().default(true),
  analyst: command.optional(),
  coder: command.optional(),
  file_hints: z.record(z.string(), texts).default({}),
  global_stage: stageText.optional(),
  local_stage: stageText.optional(),
});

/** The project's settings, for stages that leave them open. */
export type StageDefaults = Pick<StageManifest, "targetScore" | "repairMode" | "fileHints">;

export function parseStage(source: DocumentSource, defaults: StageDefaults): Parsed<StageManifest> {
  const document = readYaml(source);
  if (document.kind === "problems") return document;
  return mapParsed(checkShape(document.value, stageShape), (file) => ({
    stageId: file.stage_id,
    moduleName: file.module_name,
    packManifest: file.pack_manifest,
    targetScore: file.target_score ?? defaults.targetScore,
    maxIterations: file.max_iterations,
    repairMode: file.repair_mode ?? defaults.repairMode,
    saveAutorunOnAccept: file.save_autorun_on_accept,
    ...defined({ analyst: file.analyst, coder: file.coder }),
    fileHints: { ...defaults.fileHints, ...file.file_hints },
    globalStage: scopeOf(file.global_stage),
    localStage: scopeOf(file.local_stage),
  }));
}

function scopeOf(file: z.output<typeof stageShape>["local_stage"]) {
  return {
    goal: file?.goal ?? "",
    inScope: file?.in_scope ?? [],
    outOfScope: file?.out_of_scope ?? [],
    acceptance: file?.acceptance ?? [],
  };
}
