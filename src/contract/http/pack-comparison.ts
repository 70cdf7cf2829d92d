import { z } from "zod";
import type { RunComparison } from "../../domain/scenarios/divergence.ts";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import { jsonWriter } from "../documents/codec.ts";
import { optionalStrictObject, strictObjects, words } from "../documents/shapes.ts";

const status = z.enum(STATUSES);
const change = z.strictObject({
  scenarioId: z.string(),
  stepId: z.string(),
  before: status,
  after: status,
});

/** What `pack compare --json` prints and the API answers. */
export const packComparisonShape = z.strictObject({
  divergences: strictObjects({
    scenarioId: z.string(),
    firstStep: z.string(),
    differs: z.array(z.enum(["question", "answer", "reply_type", "status"])),
    consequences: words,
    independent: words,
  }),
  better: z.array(change),
  worse: z.array(change),
  onlyBefore: words,
  onlyAfter: words,
  assistantChanged: optionalStrictObject({ from: z.string(), reason: z.string() }),
}) satisfies z.ZodType<RunComparison>;

export const comparisonToJson = jsonWriter(packComparisonShape, "omit");
