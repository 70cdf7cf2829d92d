import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { instantShape } from "../files/values.ts";
import { toWire } from "../snake-case.ts";

const itemShape = z.object({
  kind: z.enum(["question", "needs_human"]),
  id: z.string(),
  runId: z.string(),
  text: z.string(),
  choices: z.array(z.string()),
  version: z.int(),
  since: instantShape,
});

interface Item extends Readonly<Omit<z.output<typeof itemShape>, "choices">> {
  readonly choices: readonly string[];
}

/** What waits for a person, oldest first. */
export function inboxToJson(items: readonly Item[]): Json {
  return toWire(z.object({ items: z.array(itemShape) }), { items }, { absent: "null" });
}
