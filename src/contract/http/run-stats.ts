import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";

const statsShape = z.object({
  recipe: z.string(),
  model: z.string(),
  runs: z.int(),
  approved: z.int(),
  approvalRate: z.number(),
  averageTurns: z.number(),
  secondsPerTurn: z.number(),
  inputTokens: z.int().exactOptional(),
  outputTokens: z.int().exactOptional(),
  microUsd: z.int().exactOptional(),
});

const signingShape = z.object({
  model: z.string(),
  signed: z.int(),
  questions: z.int(),
  refused: z.int(),
});

const listShape = z.object({
  drafts: z.array(statsShape).readonly(),
  reviewers: z.array(signingShape).readonly(),
});

/** What `runs stats --json` answers: drafts by recipe and model, and how each reviewer's model signs. */
export function draftStatsToJson(stats: z.output<typeof listShape>): Json {
  return toWire(listShape, stats, { absent: "null" });
}
