import { z } from "zod";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import type { RepairPlan } from "../../domain/scenarios/repair-plan.ts";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import { CLOSING_STATUSES } from "../../domain/stages/closing-gate.ts";
import type { ContextCapsule } from "../../domain/stages/context-capsule.ts";
import { NEXT_ACTIONS, type NextAction } from "../../domain/stages/next-action.ts";
import type { RepairValidation } from "../../domain/stages/repair-validation.ts";
import type { StageEntry, StageEvent, StageProcess } from "../../domain/stages/stage-history.ts";
import { optionalStrictObject } from "../documents/shapes.ts";
import { repairTargetShape } from "../scenarios/artifact-shapes.ts";

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

export const validationShape = z.strictObject({
  iterationId: z.string(),
  runId: z.string(),
  by: z.enum(["replay", "ingested_run"]),
  status: z.enum(["accepted", "not_accepted", "scope_mismatch"]),
  remainingP0: count,
  remainingP1: count,
  missingQuestions: words,
}) satisfies z.ZodType<RepairValidation>;

export const processShape = z.strictObject({
  host: z.string(),
  pid: count,
  processStart: z.string(),
}) satisfies z.ZodType<StageProcess>;

/** `repair_execution_summary.json`; what the coder says is a claim, what changed is observed. */
export const repairExecutionShape = z.strictObject({
  iterationId: z.string(),
  dryRun: z.boolean(),
  command: words,
  /** The coder given on the command line; absent for the manifest's own. */
  givenCoder: words.exactOptional(),
  coderStatus: z.enum(CODER_STATUSES),
  summary: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().exactOptional(),
  exitCode: z.int().exactOptional(),
  timedOut: z.boolean().exactOptional(),
  /** What the coder says it changed. */
  claimedFiles: words,
  decisionNeeded: z.string().exactOptional(),
  /** What is different now, whatever the coder says. */
  changedFiles: words,
  code: optionalStrictObject({
    kind: z.enum(["git", "files"]),
    before: z.string(),
    after: z.string(),
    diffStat: z.string(),
  }),
  resultFile: z.string().exactOptional(),
  stdoutFile: z.string().exactOptional(),
  stderrFile: z.string().exactOptional(),
  /** Set while it runs, and left there by a crash. */
  process: processShape.exactOptional(),
});

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

const eventShape = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("loop-finished"),
    loopId: z.string(),
    packHash: z.string(),
    status: z.enum(STATUSES),
    accepted: z.boolean(),
    requiresUserDecision: z.boolean(),
    openP0: count,
    openP1: count,
  }),
  z.strictObject({
    kind: z.literal("run-ingested"),
    runId: z.string(),
    openP0: count,
    openP1: count,
    questions: words,
  }),
  z.strictObject({
    kind: z.literal("repair-prepared"),
    iterationId: z.string(),
    packHash: z.string(),
    questions: words,
  }),
  z.strictObject({ kind: z.literal("repair-started"), iterationId: z.string() }),
  z.strictObject({
    kind: z.literal("repair-executed"),
    iterationId: z.string(),
    dryRun: z.boolean(),
    coderStatus: z.enum(CODER_STATUSES),
  }),
  z.strictObject({ kind: z.literal("decision-given"), by: z.string() }),
  z.strictObject({
    kind: z.literal("stage-closed"),
    confirmedBy: z.string(),
    reason: z.string().exactOptional(),
  }),
]) satisfies z.ZodType<StageEvent>;

const stageEntryShape = z.strictObject({
  number: z.int().min(1),
  at: z.string(),
  event: eventShape,
  evidence: z.record(z.string(), z.string()),
  process: processShape.exactOptional(),
}) satisfies z.ZodType<StageEntry>;

/** `stage_loop_summary.json`: `history` is the truth, everything before it is computed from it. */
export const stageSummaryShape = z.strictObject({
  stageId: z.string(),
  moduleName: z.string(),
  /** Relative to the project. */
  manifest: z.string().exactOptional(),
  packHash: z.string(),
  updatedAt: z.string(),
  loopAcceptedGate: z.boolean(),
  acceptedGate: z.boolean(),
  stageClosingGate: z.strictObject({ status: z.enum(CLOSING_STATUSES), reasons: words }),
  nextAction,
  nextStepGuidance: z.strictObject({ read: words, commandTemplates: words }),
  saveAutorunOnAccept: z.boolean(),
  savedPack: z.string().exactOptional(),
  latestLoop: z.string().exactOptional(),
  latestImportedRun: z.string().exactOptional(),
  latestRepairExecution: repairExecutionShape.exactOptional(),
  latestRepairValidation: validationShape.exactOptional(),
  repairValidationHistory: z.array(validationShape),
  /** Files that are not what they were when they were recorded; what relied on them does not count. */
  changedEvidence: words,
  /** The loop that may be unfinished. */
  openLoop: z.string().exactOptional(),
  assistantUrl: z.string().exactOptional(),
  history: z.array(stageEntryShape),
});
