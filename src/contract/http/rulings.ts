import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../documents/snake-case.ts";
import { instantShape } from "../drafting/values.ts";

export const rulingShape = z.object({
  number: z.int(),
  act: z.enum(["approve", "request_changes", "edit"]),
  candidate: z.string().exactOptional(),
  by: z.string(),
  knownHow: z.string(),
  reason: z.string().exactOptional(),
  text: z.string().exactOptional(),
  at: instantShape,
});

export const rulingsShape = z.object({ rulings: z.array(rulingShape) });

/** People's acts on a run, oldest first. */
export function rulingsToJson(rulings: readonly Readonly<z.output<typeof rulingShape>>[]): Json {
  return toWire(rulingsShape, { rulings }, { absent: "null" });
}
