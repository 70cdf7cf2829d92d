import { z } from "zod";
import type { RunComparison } from "../../domain/scenarios/divergence.ts";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import type { Json } from "../../domain/values/json.ts";
import { toWire } from "../snake-case.ts";

const status = z.enum(STATUSES);
const names = z.array(z.string());
const changes = z.array(
  z.strictObject({ scenarioId: z.string(), stepId: z.string(), before: status, after: status }),
);

/** What `pack compare --json` prints. */
const runComparisonShape = z.strictObject({
  divergences: z.array(
    z.strictObject({
      scenarioId: z.string(),
      firstStep: z.string(),
      differs: z.array(z.enum(["question", "answer", "reply_type", "status"])),
      consequences: names,
      independent: names,
    }),
  ),
  better: changes,
  worse: changes,
  onlyBefore: names,
  onlyAfter: names,
}) satisfies z.ZodType<RunComparison>;

export function comparisonToJson(comparison: RunComparison): Json {
  return toWire(runComparisonShape, comparison, { absent: "omit" });
}
