import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { jsonWriter } from "../documents/codec.ts";
import { optionalObject } from "../documents/shapes.ts";
import { toWire } from "../documents/snake-case.ts";
import { instantShape } from "../drafting/values.ts";
import { spentMembers } from "./calls.ts";
import { decidersShape } from "./standings.ts";

export const runShape = z.object({
  runId: z.string(),
  kind: z.string(),
  state: z.string(),
  /** What became of a loop: how it ended, or what a person decided about it. */
  outcome: z.string().exactOptional(),
  ruledBy: z.string().exactOptional(),
  /** The version of the rule that a loop was decided by. */
  rule: z.int().exactOptional(),
  standIn: z.boolean(),
  deciders: decidersShape,
  title: z.string(),
  /** Where the thing that the run is about can be seen in the studio. */
  place: z
    .object({
      kind: z.enum(["draft", "episode", "asset", "pack_run", "stage", "note", "notes"]),
      id: z.string().exactOptional(),
      part: z.string().exactOptional(),
    })
    .exactOptional(),
  /** The run that it is a part of. */
  parent: z.string().exactOptional(),
  createdAt: instantShape,
  updatedAt: instantShape,
  resumable: z.boolean(),
  spent: z.object(spentMembers),
});

/** One page, newest first; `nextCursor` asks for the page after it. */
export const runsShape = z.object({
  runs: z.array(runShape),
  nextCursor: z.string().exactOptional(),
});

/** One run with what a screen about it needs beyond its line in a list. */
export const runDetailShape = runShape.extend({
  /** Why it ended, for a run that stopped, failed or was cancelled. */
  ending: optionalObject({
    kind: z.enum(["finished", "waiting", "stopped", "failed", "cancelled"]),
    code: z.string().exactOptional(),
    message: z.string().exactOptional(),
  }),
  heldSince: instantShape.exactOptional(),
  /** The run whose ruling started this one. */
  follows: z.string().exactOptional(),
  /** The run that a ruling on this one started. */
  followedBy: z.string().exactOptional(),
  /** Where the readable record is. */
  record: z.string(),
  /** Number of rulings; a decision names the one it was made for. */
  version: z.int(),
});

/** What `runs show --json` answers about a run that has neither a session nor a report. */
export const runToJson = jsonWriter(runShape, "null");

/** What `runs list --json` and the API answer: newest first. */
export function runsToJson(runs: readonly Readonly<z.output<typeof runShape>>[]): Json {
  return toWire(runsShape, { runs }, { absent: "null" });
}
