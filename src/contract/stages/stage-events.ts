import { z } from "zod";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import { STATUSES } from "../../domain/scenarios/step-status.ts";
import type { StageProcess } from "../../domain/stages/stage-history.ts";
import { count, words } from "../documents/shapes.ts";

export const processShape = z.strictObject({
  host: z.string(),
  pid: count,
  processStart: z.string(),
}) satisfies z.ZodType<StageProcess>;

export const loopFinished = {
  kind: z.literal("loop-finished"),
  loopId: z.string(),
  run: z.string().exactOptional(),
  packHash: z.string(),
  status: z.enum(STATUSES),
  accepted: z.boolean(),
  requiresUserDecision: z.boolean(),
  openP0: count,
  openP1: count,
  problems: words.exactOptional(),
};

export const runIngested = {
  kind: z.literal("run-ingested"),
  runId: z.string(),
  openP0: count,
  openP1: count,
  questions: words,
  conversation: z.string().exactOptional(),
  by: z.string().exactOptional(),
  heldAt: z.string().exactOptional(),
};

/** The events that hold nothing but what people read. */
export const otherEvents = [
  z.strictObject({
    kind: z.literal("repair-prepared"),
    iterationId: z.string(),
    packHash: z.string(),
    questions: words,
    findings: words.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("repair-started"), iterationId: z.string() }),
  z.strictObject({
    kind: z.literal("repair-executed"),
    iterationId: z.string(),
    dryRun: z.boolean(),
    coderStatus: z.enum(CODER_STATUSES),
    endedAt: z.string().exactOptional(),
    evidence: z.enum(["intact", "tampered", "unobserved"]).exactOptional(),
    tampered: words.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("decision-given"),
    by: z.string(),
    choice: z.string().exactOptional(),
    question: z.string().exactOptional(),
    comment: z.string().exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("ruling-given"),
    finding: z.string().exactOptional(),
    repair: z.string().exactOptional(),
    by: z.string(),
    reason: z.string(),
    ruledAt: z.string(),
  }),
  z.strictObject({
    kind: z.literal("assistant-changed"),
    to: z.strictObject({
      url: z.string(),
      name: z.string().exactOptional(),
      setup: z.string().exactOptional(),
    }),
    by: z.string(),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal("stage-closed"),
    confirmedBy: z.string(),
    reason: z.string().exactOptional(),
  }),
  z.strictObject({ kind: z.literal("stage-reopened"), by: z.string(), reason: z.string() }),
] as const;
