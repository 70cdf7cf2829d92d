import type { z } from "zod";
import { parseArtifactFile, renderArtifactFile } from "../documents/artifact-file.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { handOffShape } from "../scenarios/artifact-shapes.ts";
import {
  contextCapsuleShape,
  repairExecutionShape,
  repairPlanShape,
  stageSummaryShape,
} from "./stage-artifact-shapes.ts";

/** The JSON artifacts that only a stage has, by file name. */
export const STAGE_ARTIFACTS = {
  "stage_repair_handoff.json": { version: "stage_repair_handoff_v1", shape: handOffShape },
  "stage_context_capsule.json": { version: "stage_context_capsule_v1", shape: contextCapsuleShape },
  "repair_iteration_plan.json": { version: "repair_iteration_plan_v1", shape: repairPlanShape },
  "repair_execution_summary.json": {
    version: "repair_execution_summary_v1",
    shape: repairExecutionShape,
  },
  "stage_loop_summary.json": { version: "stage_loop_summary_v1", shape: stageSummaryShape },
} as const;

export type StageArtifactName = keyof typeof STAGE_ARTIFACTS;
export type StageArtifactValue<N extends StageArtifactName> = Frozen<
  z.output<(typeof STAGE_ARTIFACTS)[N]["shape"]>
>;

export function writeStageArtifact<N extends StageArtifactName>(
  name: N,
  value: StageArtifactValue<N>,
): string {
  return renderArtifactFile<z.ZodObject>(STAGE_ARTIFACTS[name], value);
}

export function readStageArtifact<N extends StageArtifactName>(
  name: N,
  text: string,
): StageArtifactValue<N> {
  return parseArtifactFile<z.ZodObject>(name, STAGE_ARTIFACTS[name], text) as StageArtifactValue<N>;
}
