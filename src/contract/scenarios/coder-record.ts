import { z } from "zod";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import { codec } from "../documents/codec.ts";
import { optionalStrictObject, words } from "../documents/shapes.ts";
import type { Frozen } from "../documents/snake-case.ts";

/** How a coder ended: what it claims, what it printed, and what is different afterwards. */
const coderRecordShape = z.strictObject({
  startedAt: z.string(),
  finishedAt: z.string(),
  /** What the run believes; stricter than the claim. */
  status: z.enum(CODER_STATUSES),
  summary: z.string(),
  claim: z.strictObject({
    status: z.enum(CODER_STATUSES),
    summary: z.string(),
    changedFiles: words,
    decisionNeeded: z.string().exactOptional(),
  }),
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().exactOptional(),
  timedOut: z.boolean(),
  /** What it changed of the things a verdict rests on. */
  tampered: words.exactOptional(),
  /** Absent where the coder was not observed to its end. */
  change: optionalStrictObject({
    kind: z.enum(["git", "files"]),
    before: z.string(),
    after: z.string(),
    diffStat: z.string(),
    changedFiles: words,
  }),
});

export type CoderRecord = Frozen<z.output<typeof coderRecordShape>>;

export const { encode: writeCoderRecord, decode: readCoderRecord } = codec(coderRecordShape);
