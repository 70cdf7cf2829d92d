import { z } from "zod";
import { objects, optionalObject } from "../documents/shapes.ts";
import { instantShape, jsonShape } from "../drafting/values.ts";

/** One attempt of a call, as lists of calls and exports of runs have it. */
export const attemptMembers = {
  key: z.string(),
  attempt: z.int(),
  role: z.string().exactOptional(),
  model: z.string(),
  state: z.enum(["started", "replied", "failed", "lost"]),
  startedAt: instantShape,
  seconds: z.number().exactOptional(),
  inputTokens: z.int().exactOptional(),
  outputTokens: z.int().exactOptional(),
  cachedInputTokens: z.int().exactOptional(),
  /** Absent: the price is unknown, which is never the same as 0. */
  microUsd: z.int().exactOptional(),
};

const callShape = z.object({
  runId: z.string(),
  ...attemptMembers,
  error: optionalObject({ code: z.string(), message: z.string() }),
});

export const callsShape = z.object({
  calls: z.array(callShape),
  nextCursor: z.string().exactOptional(),
});

/** What was said to a model and what it said back, word for word. */
export const exchangeShape = z.object({
  key: z.string(),
  role: z.string(),
  model: z.string(),
  system: z.string(),
  user: z.string(),
  expects: z.string(),
  settings: jsonShape,
  formatVersion: z.string(),
  reply: z.string(),
  answeredBy: z.string(),
  finish: z.enum(["complete", "cut"]),
});

/** Totals of calls. An amount of which nothing is known is absent, which is never the same as 0. */
export const spentMembers = {
  /** With `unpriced` calls a lower bound. */
  microUsd: z.int().exactOptional(),
  unpriced: z.int(),
  /** With `uncounted` replies a lower bound. */
  tokens: z.int().exactOptional(),
  uncounted: z.int(),
  seconds: z.number(),
};

const totals = {
  calls: z.int(),
  failed: z.int(),
  inputTokens: z.int().exactOptional(),
  outputTokens: z.int().exactOptional(),
  cachedInputTokens: z.int(),
  ...spentMembers,
};

/** What the runs of one day have spent. */
export const daysShape = objects({ day: z.string(), runs: z.int(), ...totals });

/** What was spent by the runs of each day, oldest first, and by whom in all of them. */
export const costsShape = z.object({
  days: daysShape,
  models: objects({ model: z.string(), ...totals }),
  cells: objects({ day: z.string(), model: z.string(), ...totals }),
  kinds: objects({ kind: z.string(), ...totals }),
});
