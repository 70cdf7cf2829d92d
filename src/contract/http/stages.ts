import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { objects } from "../documents/shapes.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import { folderName } from "../scenarios/scenario-shape.ts";
import {
  repairExecutionShape,
  stageSummaryShape,
  validationShape,
} from "../stages/stage-artifact-shapes.ts";
import { by, reason } from "./parts.ts";
import type { RouteTable } from "./route.ts";

const words = z.array(z.string());
const count = z.int().min(0);

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
  }),
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
} as const satisfies RouteTable;
