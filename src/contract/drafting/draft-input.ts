import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { panelRules } from "../../domain/drafting/panel.ts";
import type { Check, Recipe } from "../../domain/drafting/recipe.ts";
import { stopRules } from "../../domain/drafting/stop-rules.ts";
import { codec } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import { iterationShape } from "./iteration.ts";

const settings = { temperature: z.number(), maxTokens: z.int() };
const role = { ...settings, model: z.string() };

/** Checks were validated when the recipe was read, and their names are the same in both spellings. */
const check = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Check>;

const panelRule = z.enum(panelRules);

const recipe = z.object({
  id: z.string(),
  title: z.string(),
  format: z.enum(textFormats),
  creatorReply: z.enum(["plain", "structured"]),
  removesMarks: z.literal(true).exactOptional(),
  approval: z.enum(["phrase", "structured"]),
  phrase: z.string(),
  maxTurns: z.int(),
  maxCharacters: z.int(),
  maxSeconds: z.int().exactOptional(),
  checks: z.array(check),
  stopRules: z.array(z.enum(stopRules)),
  stopOnNeedsHuman: z.boolean(),
  creator: z.object({ ...settings, model: z.string().exactOptional() }),
  reviewer: z.object({ ...settings, model: z.string().exactOptional() }),
  panel: objects({
    name: z.string(),
    model: z.string().exactOptional(),
    brief: z.string(),
  }).exactOptional(),
  panelRule: panelRule.exactOptional(),
  writerBrief: z.string(),
  reviewerBrief: z.string(),
}) satisfies z.ZodType<Recipe>;

export const draftInputShape = z.object({
  assetId: z.string(),
  brief: z.string(),
  context: objects({ name: z.string(), text: z.string() }).exactOptional(),
  recipe,
  creator: z.object(role),
  reviewers: objects({
    ...role,
    label: z.string().exactOptional(),
    brief: z.string().exactOptional(),
  }),
  panelRule,
  candidates: z.int(),
  maxTurns: z.int(),
  seed: z.int().exactOptional(),
  standIn: z.boolean(),
  fixedIds: z.boolean(),
  lockedText: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  seedText: z.string().exactOptional(),
  edited: optionalObject({ text: z.string(), by: z.string() }),
  reviewOnly: z.literal(true).exactOptional(),
  follows: z.string().exactOptional(),
  previous: z.array(iterationShape),
}) satisfies z.ZodType<DraftInput>;

export const { encode: encodeDraftInput, decode: decodeDraftInput } = codec(draftInputShape);
