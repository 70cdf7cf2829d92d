import { z } from "zod";
import { codec } from "../documents/codec.ts";
import { objects } from "../documents/shapes.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { memberMembers } from "./review-job.ts";

/**
 * A sweep as it is frozen: what was asked for, and every call by the versions it is about. Notes and gates are in
 * tables, because thousands of calls name the same few; their texts are in the store, by their blob ids.
 */
const sweepShape = z.object({
  /** The sweep in a line, for people. */
  brief: z.string(),
  /** Digest of what the command asked for: the same command again resumes it. */
  request: z.string(),
  /** Number of the last review when the pairs were selected; what was reviewed after it need not be asked. */
  since: z.int(),
  /** Number of the last move when the notes were listed; their paths follow later moves. */
  moves: z.int().exactOptional(),
  window: z.int(),
  aliases: z.record(z.string(), z.string()),
  head: z.string().exactOptional(),
  noteTable: objects({ path: z.string(), blobSha: z.string(), isCommitted: z.boolean() }),
  gateTable: objects({ id: z.string(), blobSha: z.string(), body: z.string() }),
  /** The members of a panel that are asked; a call belongs to the one whose `judge` is its partition. */
  members: objects(memberMembers).exactOptional(),
  calls: objects({
    plan: z.string(),
    shape: z.enum(["bundle", "sweep"]),
    model: z.string(),
    partition: z.string(),
    notes: z.array(z.int()),
    gates: z.array(z.int()),
  }),
  /** Spent by sweeps that this one takes the place of; it comes out of the budget that was given. */
  spentBefore: z.object({ microUsd: z.number(), tokens: z.number(), seconds: z.number() }),
});

export type SweepJob = Frozen<z.output<typeof sweepShape>>;
export type SweepCall = SweepJob["calls"][number];

export const { encode: encodeSweepJob, decode: decodeSweepJob } = codec(sweepShape);

/** Absent: unknown, which is never the same as 0. */
const spent = { tokens: z.number().exactOptional(), microUsd: z.number().exactOptional() };

const callReviewedShape = z.object({
  run: z.string(),
  outcome: z.enum(["completed", "unreadable", "passed-over"]),
  ...spent,
});

/** The event of a sweep that one of its calls is done. */
export type CallReviewed = Frozen<z.output<typeof callReviewedShape>>;

export const { encode: encodeCallReviewed, decode: decodeCallReviewed } = codec(callReviewedShape);

const reviewResultShape = z.object({
  outcome: z.enum(["completed", "unreadable"]),
  partition: z.string(),
  missing: z.int(),
  answeredModel: z.string(),
  ...spent,
});

/** What the run of one call returns. */
export type ReviewResult = Frozen<z.output<typeof reviewResultShape>>;

export const { encode: encodeReviewResult, decode: decodeReviewResult } = codec(reviewResultShape);
