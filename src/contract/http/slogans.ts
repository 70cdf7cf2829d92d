import { z } from "zod";
import { objects } from "../documents/shapes.ts";
import { instantShape } from "../drafting/values.ts";
import { completionReasons } from "./draft-session.ts";

/** The request of the original slogan service; members it does not know are ignored, as they always were. */
export const sloganRequestShape = z.object({
  input: z.string().min(1).max(500),
  model: z.string().max(200).exactOptional(),
  maxTurns: z.int().min(1).max(10).exactOptional(),
  verbose: z.boolean().exactOptional(),
});

export const sloganAnswerShape = z.object({
  slogan: z.string(),
  input: z.string(),
  completionReason: z.enum([...completionReasons]),
  turnCount: z.int(),
  modelName: z.string(),
  totalDurationSeconds: z.number(),
  averageDurationPerTurn: z.number(),
  /** Only when `verbose` was asked for. */
  turns: objects({
    turnNumber: z.int(),
    slogan: z.string(),
    feedback: z.string().exactOptional(),
    approved: z.boolean(),
    timestamp: instantShape,
    durationSeconds: z.number(),
  }).exactOptional(),
  createdAt: instantShape,
  requestId: z.string(),
  /** The run, with every prompt and reply. */
  runId: z.string(),
});
