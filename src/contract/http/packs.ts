import { z } from "zod";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import { LOOP_DECISIONS, VERDICT_FLAGS } from "../../domain/scenarios/verdict.ts";
import { count, objects, optionalStrictObject } from "../documents/shapes.ts";
import type { Frozen } from "../documents/snake-case.ts";
import {
  json,
  loopIterationShape,
  stepStateShape,
  turnShape,
} from "../scenarios/artifact-shapes.ts";
import { folderName } from "../scenarios/scenario-shape.ts";
import { packComparisonShape } from "./pack-comparison.ts";
import { runReportShape } from "./pack-report.ts";
import { runIdShape, startedShape } from "./parts.ts";
import type { RouteTable } from "./route.ts";

/** A run folder in a line: enough for a list and for the trend over many of them. */
const packRunShape = z.strictObject({
  runId: z.string(),
  packId: z.string(),
  title: z.string(),
  kind: z.enum(["pack", "scenario"]),
  /** `damaged`: files are missing, or are not what this project recorded. */
  state: z.enum(["finished", "unfinished", "damaged"]),
  startedAt: z.string().exactOptional(),
  finalStatus: z.enum(STATUSES).exactOptional(),
  accepted: z.boolean(),
  /** How it ended, in one word; absent until it has. */
  outcome: z.enum([...STATUSES, "gate_not_passed"]).exactOptional(),
  /** This project's store has the run. What only files say is attested at best. */
  recorded: z.boolean(),
  steps: count,
  stepsPassed: count,
  unresolvedP0: count,
  /** The loop that this replay was an iteration of. */
  loop: optionalStrictObject({
    runId: z.string(),
    iteration: z.int().min(1),
    score: count.exactOptional(),
  }),
  /** The stage that the loop belongs to. */
  stageId: z.string().exactOptional(),
});

export type PackRun = Frozen<z.output<typeof packRunShape>>;

const packsShape = z.object({
  packs: objects({
    packId: z.string(),
    title: z.string(),
    runs: count,
    /** The latest ones, oldest first. */
    recent: z.array(packRunShape),
  }),
});

const packShape = z.object({
  packId: z.string(),
  title: z.string(),
  /** Newest first. */
  runs: z.array(packRunShape),
});

/** A row for each step and a status for each run that asked it. */
const packStepsShape = z.object({
  runs: objects({ runId: z.string(), startedAt: z.string().exactOptional() }),
  steps: objects({
    scenarioId: z.string(),
    stepId: z.string(),
    title: z.string(),
    /** One version of the assistant passed it in one of these runs and failed it in another, or differed within a run. */
    flaky: z.boolean(),
    statuses: objects({ runId: z.string(), status: z.enum(STATUSES) }),
  }),
});

const flag = z.strictObject({ name: z.enum(VERDICT_FLAGS), ok: z.boolean() });

/** What the analyst said about a replay and what the gate made of it. Empty where only the checks judged. */
const packVerdictShape = z.object({
  loop: optionalStrictObject({
    runId: z.string(),
    analystModel: z.string(),
    standIn: z.boolean(),
    targetScore: count,
    maxIterations: count,
    nextAction: z.string(),
    ...loopIterationShape.omit({ runId: true }).shape,
  }),
  verdict: optionalStrictObject({
    qualityScore: count,
    loopDecision: z.enum(LOOP_DECISIONS),
    summary: z.string().exactOptional(),
    flags: z.array(flag),
    userDecisionPrompt: z.string().exactOptional(),
    notes: z.array(z.string()),
  }),
  /** Why there is a reply and yet no verdict. */
  problems: z.array(z.string()),
});

export type PackVerdict = Frozen<z.output<typeof packVerdictShape>>;

/** The technical side of a step, as the assistant sent it. */
const stepDetailShape = z.object({
  analysisContext: stepStateShape.shape.analysisContext,
  entries: stepStateShape.shape.entries,
  entriesFrom: stepStateShape.shape.entriesFrom,
  debug: json,
  failure: turnShape.shape.failure,
});

export type StepDetail = Frozen<z.output<typeof stepDetailShape>>;

const run = z.object({ runId: runIdShape });
const problems = ["run-unknown", "run-unfinished"];

/** The lines of the table about packs and their runs. */
export const packRoutes = {
  "GET /api/v1/packs": {
    summary: "Packs that were run in this project, with their latest runs",
    answers: { 200: packsShape },
  },
  "GET /api/v1/packs/:pack_id": {
    summary: "One pack and its runs, newest first",
    params: z.object({ packId: folderName }),
    answers: { 200: packShape },
    problems: ["pack-unknown"],
  },
  "GET /api/v1/pack-runs/:run_id": {
    summary: "A run as it was judged, as `signoff pack run --json` prints it",
    params: run,
    answers: { 200: runReportShape },
    problems,
  },
  "POST /api/v1/pack-runs/:run_id/repeat": {
    role: "run",
    summary: "Ask the questions of a run again, all or those of some scenarios",
    isCreate: true,
    params: run,
    body: z.strictObject({ scenarios: z.array(folderName).min(1).max(1_000).exactOptional() }),
    answers: { 202: startedShape },
    problems: ["not-repeatable", "run-held", "definition-changed", "idempotency-key-reused"],
  },
  "GET /api/v1/packs/:pack_id/steps": {
    summary: "How each step went in the latest runs of a pack",
    params: z.object({ packId: folderName }),
    answers: { 200: packStepsShape },
    problems: ["pack-unknown"],
  },
  "GET /api/v1/pack-runs/:run_id/verdict": {
    summary: "The analyst's verdict about a run, and what the gate made of it",
    params: run,
    answers: { 200: packVerdictShape },
    problems: ["run-unknown"],
  },
  "GET /api/v1/pack-runs/:run_id/scenarios/:scenario_id/steps/:step_id": {
    summary: "The technical payload of one answer",
    params: z.object({ runId: runIdShape, scenarioId: folderName, stepId: folderName }),
    answers: { 200: stepDetailShape },
    problems: ["run-unknown", "step-unknown"],
  },
  "GET /api/v1/pack-comparison": {
    summary: "Where two runs part, as `signoff pack compare --json` prints it",
    query: z.object({
      before: runIdShape,
      after: runIdShape,
      /** Why two runs of different assistants are compared. */
      reason: z.string().exactOptional(),
    }),
    answers: { 200: packComparisonShape },
    problems: [...problems, "assistant-changed"],
  },
} as const satisfies RouteTable;
