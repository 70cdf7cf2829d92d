import { z } from "zod";
import { jsonWriter } from "../documents/codec.ts";
import type { Frozen } from "../documents/snake-case.ts";
import {
  packStateShape,
  repairTargetShape,
  scenarioRecordShape,
} from "../scenarios/artifact-shapes.ts";

/** A judged run as every report, `--json` and the API show it. */
export const runReportShape = z.strictObject({
  runId: z.string(),
  kind: z.enum(["pack", "scenario", "pack-loop"]),
  subject: z.string(),
  title: z.string(),
  folder: z.string(),
  finalStatus: packStateShape.shape.finalStatus,
  accepted: z.boolean(),
  reasons: z.array(z.string()),
  scenarios: z.array(scenarioRecordShape),
  repairTargets: z.array(repairTargetShape),
  assistant: packStateShape.shape.assistant,
  userModel: packStateShape.shape.userModel,
  analyst: packStateShape.shape.analyst,
  selection: packStateShape.shape.selection,
  nextAction: z.string().exactOptional(),
});

export type RunReport = Frozen<z.output<typeof runReportShape>>;

export const reportToJson = jsonWriter(runReportShape, "omit");
