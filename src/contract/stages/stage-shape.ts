import { z } from "zod";
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
  repair_mode: z.enum(["lead-handoff", "auto-coder"]).optional(),
  save_autorun_on_accept: z.boolean().default(true),
  analyst: command.optional(),
  coder: command.optional(),
  file_hints: z.record(z.string(), texts).default({}),
  global_stage: stageText.optional(),
  local_stage: stageText.optional(),
});
