import { z } from "zod";
import { knownDeciders } from "../../domain/evidence/standing.ts";
import { problemSeverities } from "../../domain/scenarios/manifest.ts";
import type { AskedQuestion, StageFinding } from "../../domain/stages/asked-question.ts";
import type { StageEntry } from "../../domain/stages/stage-history.ts";
import { codec } from "../documents/codec.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { checkListsShape, repairTargetShape } from "../scenarios/artifact-shapes.ts";
import { loopFinished, otherEvents, processShape, runIngested } from "./stage-events.ts";

const identity = {
  question: z.string(),
  asAsked: z.string().exactOptional(),
  asWorded: z.string().exactOptional(),
  basis: z.string().exactOptional(),
};

const askedShape = z.strictObject({
  ...identity,
  isAnswered: z.boolean(),
  problems: z.array(z.string()),
}) satisfies z.ZodType<AskedQuestion>;

const findingShape = z.strictObject({
  ...identity,
  findingId: z.string(),
  severity: z.enum(problemSeverities),
  problemType: z.string(),
  isVisible: z.boolean(),
  analyst: z.string().exactOptional(),
  target: repairTargetShape,
}) satisfies z.ZodType<StageFinding>;

/** An entry of a stage as the store keeps it. What a loop shows is not kept: it follows from the loop's own runs. */
const storedEntryShape = z.strictObject({
  number: z.int().min(1),
  at: z.string(),
  event: z.discriminatedUnion("kind", [
    z.strictObject({
      ...loopFinished,
      /** As they were when the loop was recorded, for the time after its runs are gone. */
      findings: z.array(findingShape).exactOptional(),
    }),
    z.strictObject({
      ...runIngested,
      checkLists: checkListsShape,
      asked: z.array(askedShape).exactOptional(),
      findings: z.array(findingShape).exactOptional(),
    }),
    z.strictObject({
      kind: z.literal("findings-imported"),
      from: z.string(),
      findings: z.array(findingShape),
    }),
    ...otherEvents,
  ]),
  evidence: z.record(z.string(), z.string()),
  process: processShape.exactOptional(),
}) satisfies z.ZodType<StageEntry>;

export const { encode: writeStageEntry, decode: readStageEntry } = codec(storedEntryShape);

/** What a stage is, apart from what happened to it: enough to look at it without its manifest and its pack. */
const stageFactsShape = z.strictObject({
  stageId: z.string(),
  moduleName: z.string(),
  manifestPath: z.string(),
  packHash: z.string(),
  saveAutorunOnAccept: z.boolean(),
  targetScore: z.int(),
  /** Who the stage's analyst is. */
  decider: z.enum(knownDeciders).exactOptional(),
  updatedAt: z.string(),
  openLoop: z.string().exactOptional(),
  /** Given with a command, and answered there. */
  assistantUrl: z.string().exactOptional(),
  /** Given for the loop that is open. */
  openUrl: z.string().exactOptional(),
  userModel: z.string().exactOptional(),
  savedPack: z.string().exactOptional(),
});

export type StageFacts = Frozen<z.output<typeof stageFactsShape>>;

export const { encode: writeStageFacts, decode: readStageFacts } = codec(stageFactsShape);

/** The history in a `stage_loop_summary.json` of a version that kept it in the file. */
const legacySummaryShape = z.object({
  schemaVersion: z.literal("stage_loop_summary_v1"),
  stageId: z.string(),
  moduleName: z.string(),
  manifest: z.string().exactOptional(),
  packHash: z.string(),
  updatedAt: z.string(),
  saveAutorunOnAccept: z.boolean(),
  history: z.array(
    z.object({
      number: z.int(),
      at: z.string(),
      event: z.discriminatedUnion("kind", [
        z.object(loopFinished),
        z.object(runIngested),
        z.object({ kind: z.literal("findings-imported"), from: z.string() }),
        ...otherEvents,
      ]),
      evidence: z.record(z.string(), z.string()),
    }),
  ),
});

export const { decode: readLegacySummary } = codec(legacySummaryShape);
