import { z } from "zod";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import { problemSeverities } from "../../domain/scenarios/manifest.ts";
import { repairModes } from "../../domain/scenarios/pack-loop.ts";
import type { RepairPlan } from "../../domain/scenarios/repair-plan.ts";
import { CLOSING_STATUSES } from "../../domain/stages/closing-gate.ts";
import type { ContextCapsule } from "../../domain/stages/context-capsule.ts";
import { NEXT_ACTIONS, type NextAction } from "../../domain/stages/next-action.ts";
import { type RepairValidation, VALIDATION_STATUSES } from "../../domain/stages/repair-proof.ts";
import { count, optionalStrictObject, strictObjects, words } from "../documents/shapes.ts";
import { repairTargetShape } from "../scenarios/artifact-shapes.ts";
import { loopFinished, otherEvents, processShape, runIngested } from "./stage-events.ts";

const nextAction = z.enum(Object.keys(NEXT_ACTIONS) as [NextAction]);

export const repairPlanShape = z.strictObject({
  iterationId: z.string(),
  packHash: z.string(),
  targets: z.array(repairTargetShape),
  candidateFiles: words,
  validationQuestions: words,
  validationCommand: z.string(),
  decisions: words.exactOptional(),
}) satisfies z.ZodType<RepairPlan>;

export const validationShape = z.strictObject({
  iterationId: z.string(),
  runId: z.string(),
  by: z.enum(["replay", "ingested_run"]),
  status: z.enum(VALIDATION_STATUSES),
  remainingP0: count,
  remainingP1: count,
  missingQuestions: words,
}) satisfies z.ZodType<RepairValidation>;

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
  /** What it changed of the things a verdict rests on; such a repair has failed. */
  tampered: words.exactOptional(),
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
  repairMode: z.enum(repairModes),
  questionRating: z.enum(["strong", "usable", "weak"]).exactOptional(),
  closingStatus: z.enum(CLOSING_STATUSES),
  closingReasons: words,
  nextAction,
  operatingModel: words,
}) satisfies z.ZodType<ContextCapsule>;

/** An event as people read it; what it was derived from stays in the store. */
const eventShape = z.discriminatedUnion("kind", [
  z.object(loopFinished),
  z.object(runIngested),
  z.object({ kind: z.literal("findings-imported"), from: z.string() }),
  ...otherEvents,
]);

const stageEntryShape = z.object({
  number: z.int().min(1),
  at: z.string(),
  event: eventShape,
  evidence: z.record(z.string(), z.string()),
  process: processShape.exactOptional(),
});

/** `stage_loop_summary.json`: shows what the store holds and what follows from it; nothing relies on the file. */
export const stageSummaryShape = z.strictObject({
  stageId: z.string(),
  moduleName: z.string(),
  /** Relative to the project. */
  manifest: z.string().exactOptional(),
  packHash: z.string(),
  updatedAt: z.string(),
  loopAcceptedGate: z.boolean(),
  acceptedGate: z.boolean(),
  stageClosingGate: z.strictObject({
    status: z.enum(CLOSING_STATUSES),
    reasons: words,
    /** Each reason with the command that would help. */
    missing: strictObjects({ text: z.string(), command: z.string() }),
    closedBy: z.string().exactOptional(),
  }),
  /** P0 and P1 findings that were neither proven nor ruled away, worst first. */
  openFindings: strictObjects({
    findingId: z.string(),
    severity: z.enum(problemSeverities),
    problemType: z.string(),
    question: z.string(),
    from: z.string(),
  }),
  /** Who decided the latest loop, where it was no model. */
  notByModel: z.string().exactOptional(),
  /** What the analyst or the coder wants a person to decide. */
  decisionNeeded: z.string().exactOptional(),
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
