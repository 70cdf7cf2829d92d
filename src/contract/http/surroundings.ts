import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import { objects } from "../documents/shapes.ts";
import { instantShape, jsonShape } from "../drafting/values.ts";

const probe = { responseTimeMs: z.int().exactOptional(), error: z.string().exactOptional() };

export const healthShape = z.object({
  status: z.enum(["healthy", "degraded"]),
  version: z.string(),
  timestamp: instantShape,
  dependencies: z.object({
    store: z.object({ connected: z.boolean(), ...probe }),
    models: z.object({ connected: z.boolean(), ...probe }),
  }),
});

export const modelsShape = z.object({
  models: objects({ name: z.string(), displayName: z.string(), standIn: z.boolean() }),
  defaultModel: z.string(),
  count: z.int(),
});

export const recipesShape = z.object({
  recipes: objects({
    id: z.string(),
    title: z.string(),
    origin: z.enum(["built-in", "project"]),
    format: z.enum(textFormats),
    maxTurns: z.int(),
    checks: z.array(z.string()),
  }),
});

/** Every setting with where it comes from; secrets are not in it. */
export const settingsShape = z.object({
  project: z.string(),
  settings: objects({ name: z.string(), value: jsonShape, source: z.string() }),
});
