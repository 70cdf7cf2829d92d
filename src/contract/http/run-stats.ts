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
  inputTokens: z.int(),
  outputTokens: z.int(),
  microUsd: z.int().exactOptional(),
});

const listShape = z.object({ drafts: z.array(statsShape) });

/** What `runs stats --json` answers, by recipe and model. */
export function draftStatsToJson(drafts: readonly Readonly<z.output<typeof statsShape>>[]): Json {
  return toWire(listShape, { drafts }, { absent: "null" });
}
