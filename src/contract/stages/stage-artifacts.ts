import { type ArtifactValueOf, artifactFiles } from "../documents/artifact-file.ts";
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
export type StageArtifactValue<N extends StageArtifactName> = ArtifactValueOf<
  (typeof STAGE_ARTIFACTS)[N]
>;

export const { write: writeStageArtifact, read: readStageArtifact } =
  artifactFiles(STAGE_ARTIFACTS);
