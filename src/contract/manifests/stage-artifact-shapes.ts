import { z } from "zod";
import { CLOSING_STATUSES } from "../../domain/stages/closing-gate.ts";
import type { ContextCapsule, HandOff } from "../../domain/stages/hand-off.ts";
import { NEXT_ACTIONS, type NextAction } from "../../domain/stages/next-action.ts";
import type { RepairPlan } from "../../domain/stages/repair-plan.ts";
import type { RepairValidation } from "../../domain/stages/repair-validation.ts";
import { CODER_STATUSES } from "../../domain/stages/stage-history.ts";
import { repairTargetShape } from "./artifact-shapes.ts";

const words = z.array(z.string());
const count = z.int().min(0);
const nextAction = z.enum(Object.keys(NEXT_ACTIONS) as [NextAction]);

export const repairPlanShape = z.strictObject({
  iterationId: z.string(),
  packHash: z.string(),
  targets: z.array(repairTargetShape),
  candidateFiles: words,
  validationQuestions: words,
  validationCommand: z.string(),
}) satisfies z.ZodType<RepairPlan>;

const validationShape = z.strictObject({
  iterationId: z.string(),
  runId: z.string(),
  by: z.enum(["replay", "ingested_run"]),
  status: z.enum(["accepted", "not_accepted", "scope_mismatch"]),
  remainingP0: count,
  remainingP1: count,
  missingQuestions: words,
}) satisfies z.ZodType<RepairValidation>;

export const repairExecutionShape = z.strictObject({
  iterationId: z.string(),
  dryRun: z.boolean(),
  command: words,
  coderStatus: z.enum(CODER_STATUSES),
  changedFiles: words,
  resultFile: z.string().exactOptional(),
  stdoutFile: z.string().exactOptional(),
  stderrFile: z.string().exactOptional(),
});

/** `lead_coder_handoff.json` and `stage_repair_handoff.json` */
export const handOffShape = z.strictObject({
  title: z.string(),
  reasons: words,
  targets: z.array(repairTargetShape),
  sampleFailures: z.array(
    z.strictObject({ question: z.string(), visibleAnswer: z.string(), expectation: z.string() }),
  ),
  candidateFiles: words,
  validationCommand: z.string(),
}) satisfies z.ZodType<HandOff>;

const stageText = z.strictObject({
  goal: z.string(),
  inScope: words,
  outOfScope: words,
  acceptance: words,
});

export const contextCapsuleShape = z.strictObject({
  stageId: z.string(),
  moduleName: z.string(),
  globalStage: stageText,
  localStage: stageText,
  targetScore: count,
  repairMode: z.enum(["lead-handoff", "auto-coder"]),
  questionRating: z.enum(["strong", "usable", "weak"]).exactOptional(),
  closingStatus: z.enum(CLOSING_STATUSES),
  closingReasons: words,
  nextAction,
  operatingModel: words,
}) satisfies z.ZodType<ContextCapsule>;

export const stageSummaryShape = z.strictObject({
  stageId: z.string(),
  moduleName: z.string(),
  loopAcceptedGate: z.boolean(),
  acceptedGate: z.boolean(),
  stageClosingGate: z.strictObject({ status: z.enum(CLOSING_STATUSES), reasons: words }),
  nextAction,
  nextStepGuidance: z.strictObject({ read: words, commandTemplates: words }),
  saveAutorunOnAccept: z.boolean(),
  latestImportedRun: z.string().exactOptional(),
  latestRepairExecution: repairExecutionShape.exactOptional(),
  latestRepairValidation: validationShape.exactOptional(),
  repairValidationHistory: z.array(validationShape),
});
