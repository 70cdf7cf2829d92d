import { z } from "zod";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";

/** UTC only: text order must be time order. */
export const instantShape = z.iso.datetime() as unknown as z.ZodType<Instant>;

/** The user's JSON, already parsed; we never read it, so it is not checked. */
export const jsonShape = z.unknown() as unknown as z.ZodType<Json>;
