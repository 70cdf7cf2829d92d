import { z } from "zod";

/** Ids of runs are UUIDs and nothing else, so no path can hide in one. */
export const runIdShape = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "is not a run id");

/** A run and the position of its question, such as `…:turn/1/candidate/1/create`; only ever looked up. */
export const itemIdShape = z
  .string()
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,500}$/u, "is not the id of an inbox item");

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).exactOptional(),
  cursor: z.string().max(300).exactOptional(),
};

/** Who decides, where several people share one server; else the person who started it. */
export const by = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, "must be one line")
  .exactOptional();

export const reason = z.string().trim().min(1, "say why").max(2_000);

/** The answer to a request that starts a run: where to follow it. */
export const startedShape = z.object({ runId: z.string(), events: z.string() });
