import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { instantShape } from "../files/values.ts";
import { toWire } from "../snake-case.ts";

export const inboxItemShape = z.object({
  kind: z.enum(["question", "needs_human"]),
  id: z.string(),
  runId: z.string(),
  text: z.string(),
  choices: z.array(z.string()),
  version: z.int(),
  since: instantShape,
});

export const inboxShape = z.object({
  items: z.array(inboxItemShape),
  nextCursor: z.string().exactOptional(),
});

interface Item extends Readonly<Omit<z.output<typeof inboxItemShape>, "choices">> {
  readonly choices: readonly string[];
}

/** What waits for a person, oldest first. */
export function inboxToJson(items: readonly Item[]): Json {
  return toWire(inboxShape, { items }, { absent: "null" });
}
