import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { count, objects, words } from "../documents/shapes.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import { folderName } from "../scenarios/scenario-shape.ts";
import {
  repairExecutionShape,
  stageSummaryShape,
  validationShape,
} from "../stages/stage-artifact-shapes.ts";
import { by, reason } from "./parts.ts";
import type { RouteTable } from "./route.ts";

/** The status of a stage: what every `stage … --json` prints and the API answers. */
const stageStatusShape = z.strictObject({
  /** What the command did, in lines. */
  said: words.exactOptional(),
  /** A coder works on it at this moment. */
  isAtWork: z.boolean(),
  ...stageSummaryShape.shape,
});

type StageStatus = Frozen<z.output<typeof stageStatusShape>>;

export function stageStatusToJson(status: StageStatus): { readonly [name: string]: Json } {
  const json = toWire(stageStatusShape, status, { absent: "omit" });
  return json as { readonly [name: string]: Json };
}

const stagesShape = z.object({
  stages: objects({
    ...stageStatusShape.pick({
      stageId: true,
      moduleName: true,
      updatedAt: true,
      isAtWork: true,
      nextAction: true,
      stageClosingGate: true,
    }).shape,
    repairs: count,
    validations: count,
  }),
  /** Stages whose file cannot be read. */
  damaged: objects({ folder: z.string(), problem: z.string() }),
});

const stageDetailShape = z.object({
  stage: stageStatusShape,
  /** Names the state that a confirmation is about. */
  version: count,
  /** Oldest first. */
  repairs: objects({
    iterationId: z.string(),
    preparedAt: z.string(),
    questions: words,
    execution: repairExecutionShape.exactOptional(),
    validations: z.array(validationShape),
    isProven: z.boolean(),
    /** A person has to vouch for what its coder left behind. */
    needsRuling: z.boolean(),
  }),
  /** The program that a repair starts, and why it may not be started yet. */
  coder: z.object({
    command: words,
    problem: z.string().exactOptional(),
    hint: z.string().exactOptional(),
  }),
  /** The newest loop, while it is not over; a playing one has a process that works on it. */
  loop: z.object({ runId: z.string(), isPlaying: z.boolean() }).exactOptional(),
  documents: objects({ documentId: z.string(), name: z.string() }),
});

export type StageDetail = Frozen<z.output<typeof stageDetailShape>>;

const documentShape = z.object({
  documentId: z.string(),
  name: z.string(),
  text: z.string(),
  /** The file is longer than what is shown. */
  isCut: z.boolean(),
});

export type StageDocument = Frozen<z.output<typeof documentShape>>;

const params = z.object({ stageId: folderName });
const comment = z.string().trim().max(2_000).exactOptional();
const refusals = ["stage-unknown", "stage-moved", "stage-manifest-moved", "coder-at-work"];

/** What a step did, and the stage after it. */
const stepTakenShape = stageDetailShape.extend({
  said: words,
  /** The loop that was started. */
  runId: z.string().exactOptional(),
});

/** The lines of the table about stages. */
export const stageRoutes = {
  "GET /api/v1/stages": {
    summary: "Stages of this project, each with its next action and closing gate",
    answers: { 200: stagesShape },
  },
  "GET /api/v1/stages/:stage_id": {
    summary: "One stage, as `signoff stage status --json` prints it, with repairs and documents",
    params,
    answers: { 200: stageDetailShape },
    problems: ["stage-unknown", "stage-file-damaged"],
  },
  "GET /api/v1/stages/:stage_id/documents/:document_id": {
    summary: "The text of a document of the stage",
    params: z.object({
      stageId: folderName,
      documentId: z.string().regex(/^[0-9a-f]{16}$/, "is not the id of a document"),
    }),
    answers: { 200: documentShape },
    problems: ["stage-unknown", "document-unknown"],
  },
  "POST /api/v1/stages/:stage_id/confirmation": {
    role: "decide",
    summary: "The final confirmation by a person; closes the stage while its gate is open",
    params,
    body: z.strictObject({ version: count, reason, by }),
    answers: { 200: stageDetailShape },
    problems: ["stage-unknown", "stage-moved", "gate-not-open", "coder-at-work"],
  },
  "POST /api/v1/stages/:stage_id/steps": {
    role: "run",
    summary:
      "Takes a step: `continue` the next safe one, `run` the pack, `prepare-repair`, `execute-repair`",
    params,
    body: z.strictObject({
      version: count,
      step: z.enum(["continue", "prepare-repair", "execute-repair", "run"]),
      by,
    }),
    answers: { 200: stepTakenShape },
    problems: [...refusals, "trust-needed", "stage-closed", "loop-at-work", "repair-missing"],
  },
  "POST /api/v1/stages/:stage_id/imports": {
    role: "run",
    summary: "Reviews and files a run of another tool; after a patch it may be the proof",
    params,
    body: z.strictObject({ version: count, runId: z.string().min(1).max(120), by }),
    answers: { 200: stepTakenShape },
    problems: [...refusals, "bad-run-id", "run-not-found", "run-empty", "run-already-ingested"],
  },
  "POST /api/v1/stages/:stage_id/decision": {
    role: "decide",
    summary: "Decides what the analyst or the coder asks",
    params,
    body: z.strictObject({ version: count, choice: z.enum(["continue", "stop"]), comment, by }),
    answers: { 200: stepTakenShape },
    problems: [...refusals, "nothing-to-decide"],
  },
  "POST /api/v1/stages/:stage_id/ruling": {
    role: "decide",
    summary: "Settles a finding, or vouches for what a coder left behind",
    params,
    body: z.strictObject({
      version: count,
      about: z.enum(["finding", "repair"]),
      id: z.string().min(1).max(200),
      ...{ reason, by },
    }),
    answers: { 200: stepTakenShape },
    problems: [...refusals, "finding-unknown", "repair-clear"],
  },
  "POST /api/v1/stages/:stage_id/reopening": {
    role: "decide",
    summary: "Opens a closed stage again",
    params,
    body: z.strictObject({ version: count, reason, by }),
    answers: { 200: stepTakenShape },
    problems: [...refusals, "stage-open"],
  },
} as const satisfies RouteTable;
