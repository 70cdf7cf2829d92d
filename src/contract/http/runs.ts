import { z } from "zod";
import type { Json } from "../../domain/values/json.ts";
import { instantShape } from "../files/values.ts";
import { toWire, wireJsonSchema } from "../snake-case.ts";

const runShape = z.object({
  runId: z.string(),
  kind: z.string(),
  state: z.string(),
  outcome: z.string().exactOptional(),
  standIn: z.boolean(),
  title: z.string(),
  createdAt: instantShape,
  updatedAt: instantShape,
  resumable: z.boolean(),
  spent: z.object({ microUsd: z.int(), tokens: z.int(), seconds: z.number() }),
});

const runsShape = z.object({ runs: z.array(runShape) });

/** What `runs list --json` and the API answer: newest first. */
export function runsToJson(runs: readonly Readonly<z.output<typeof runShape>>[]): Json {
  return toWire(runsShape, { runs }, { absent: "null" });
}

export function runsJsonSchema(): Json {
  return wireJsonSchema(runsShape);
}
