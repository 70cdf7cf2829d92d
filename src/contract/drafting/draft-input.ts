import { z } from "zod";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { Check, Recipe } from "../../domain/drafting/recipe.ts";
import type { Json } from "../../domain/values/json.ts";
import { fromWire, toWire } from "../documents/snake-case.ts";
import { iterationShape } from "./iteration.ts";

const settings = { temperature: z.number(), maxTokens: z.int() };
const role = { ...settings, model: z.string() };

/** Checks were validated when the recipe was read, and their names are the same in both spellings. */
const check = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Check>;

const recipe = z.object({
  id: z.string(),
  title: z.string(),
  format: z.enum(["markdown", "plain", "html"]),
  creatorReply: z.enum(["plain", "structured"]),
  approval: z.enum(["phrase", "structured"]),
  phrase: z.string(),
  maxTurns: z.int(),
  maxCharacters: z.int(),
  checks: z.array(check),
  stopRules: z.array(z.enum(["early_stop", "oscillation", "late_issues"])),
  stopOnNeedsHuman: z.boolean(),
  creator: z.object({ ...settings, model: z.string().exactOptional() }),
  reviewer: z.object({ ...settings, model: z.string().exactOptional() }),
  writerBrief: z.string(),
  reviewerBrief: z.string(),
}) satisfies z.ZodType<Recipe>;

export const draftInputShape = z.object({
  assetId: z.string(),
  brief: z.string(),
  recipe,
  creator: z.object(role),
  reviewers: z.array(z.object({ ...role, label: z.string().exactOptional() })),
  panelRule: z.enum(["all", "majority", "any"]),
  candidates: z.int(),
  maxTurns: z.int(),
  seed: z.int().exactOptional(),
  standIn: z.boolean(),
  fixedIds: z.boolean(),
  lockedText: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  seedText: z.string().exactOptional(),
  edited: z.object({ text: z.string(), by: z.string() }).exactOptional(),
  follows: z.string().exactOptional(),
  previous: z.array(iterationShape),
}) satisfies z.ZodType<DraftInput>;

/** The input of a drafting job as it is stored with the job. */
export function encodeDraftInput(input: DraftInput): Json {
  return toWire(draftInputShape, input, { absent: "omit" });
}

export function decodeDraftInput(json: Json): DraftInput {
  return fromWire(draftInputShape, json);
}
