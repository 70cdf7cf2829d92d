import { z } from "zod";
import { codec } from "../documents/codec.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { processShape } from "./stage-events.ts";

export const stageRepairKind = "stage-repair";

/** What the run of a stage's repair is given. */
const repairJobShape = z.strictObject({
  /** Of the stage, relative to the project. */
  folder: z.string(),
  iterationId: z.string(),
  command: z.strictObject({
    argv: z.array(z.string()),
    timeoutMs: z.int(),
    reads: z.enum(["text", "claude-json", "codex-json", "gemini-json"]),
    input: z.string(),
  }),
  globs: z.array(z.string()),
  /** Digests of everything a verdict could rest on, taken before the coder started. */
  guard: z.record(z.string(), z.string()).exactOptional(),
  /** The process that recorded the repair's start; no other starts the coder. */
  orderedBy: processShape,
});

export type RepairJob = Frozen<z.output<typeof repairJobShape>>;

export const { encode: writeRepairJob, decode: readRepairJob } = codec(repairJobShape);
