import { z } from "zod";
import { isAssetId } from "../../domain/episodes/asset-kind.ts";
import { isTimestamp } from "../../domain/episodes/timestamp.ts";
import { instant, instantFromMillis } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { strictObjects } from "../documents/shapes.ts";

/** Kept as written, offset and all; whole seconds since 1970 are accepted too. */
export const storedTime = z.union([
  z
    .string()
    .refine(isTimestamp, "must be a time with a zone, such as 2026-03-01T10:00:00Z")
    .transform(instant),
  z
    .int()
    .nonnegative()
    .transform((seconds) => instantFromMillis(seconds * 1000)),
]);

/** Where a file has no time: it counts as older than everything that has one. */
export const storedTimeOrOldest = storedTime.default(instant("2000-01-01T00:00:00Z"));

export const storedUuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "must be a UUID")
  .transform((text) => text.toLowerCase());

export const storedAssetId = z
  .string()
  .refine(isAssetId, "must be lower-case letters, digits and _, beginning with a letter");

/** Data of others: never renamed, never judged. */
const opaque = z.custom<{ readonly [name: string]: Json }>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);

export const storedProvenance = strictObjects({
  kind: z.string().min(1),
  ref: z.string().min(1),
  created_at: storedTime.nullish(),
  metadata: opaque.default({}),
});

/** A key that exists only when there is something to say: `null` on disk is `undefined` in here. */
export function present<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [key in Name]?: Value } {
  return value === null || value === undefined
    ? {}
    : ({ [name]: value } as { readonly [key in Name]?: Value });
}
