import { z } from "zod";
import { NEXT_ACTIONS, type NextAction } from "../../domain/stages/next-action.ts";
import type { Json } from "../../domain/values/json.ts";
import { optionalObject } from "../documents/shapes.ts";
import { type Frozen, toWire } from "../documents/snake-case.ts";
import { instantShape } from "../drafting/values.ts";

const waiting = { id: z.string(), text: z.string(), version: z.int(), since: instantShape };

export const inboxItemShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["question", "needs_human"]),
    ...waiting,
    runId: z.string(),
    choices: z.array(z.string()),
    /** A loop about a text of an episode is ruled on with the requests of that text. */
    asset: optionalObject({ episode: z.string(), workspace: z.string(), assetId: z.string() }),
  }),
  z.object({
    kind: z.literal("stage"),
    ...waiting,
    nextAction: z.enum(Object.keys(NEXT_ACTIONS) as [NextAction]),
    commands: z.array(z.string()),
  }),
]);

export const inboxShape = z.object({
  items: z.array(inboxItemShape),
  nextCursor: z.string().exactOptional(),
});

/** What waits for a person, oldest first. */
export function inboxToJson(items: Frozen<z.output<typeof inboxShape>>["items"]): Json {
  return toWire(inboxShape, { items }, { absent: "null" });
}
