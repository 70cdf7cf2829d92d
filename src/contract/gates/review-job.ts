import { z } from "zod";
import { reviewDecisions } from "../../domain/gates/decision.ts";
import type { ReviewJob, ReviewOutcome } from "../../domain/gates/review-job.ts";
import { codec } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";

/** A member of a panel that has a name of its own. */
export const memberMembers = { name: z.string(), judge: z.string(), instructions: z.string() };

const jobShape = z.object({
  shape: z.enum(["bundle", "sweep"]),
  model: z.string(),
  member: optionalObject(memberMembers),
  live: z.boolean(),
  aliases: z.record(z.string(), z.string()),
  notes: objects({
    path: z.string(),
    blobSha: z.string(),
    text: z.string(),
    links: objects({
      text: z.string(),
      destination: z.string(),
      path: z.string().exactOptional(),
    }),
  }),
  gates: objects({ id: z.string(), blobSha: z.string(), body: z.string() }),
}) satisfies z.ZodType<ReviewJob>;

export const { encode: encodeReviewJob, decode: decodeReviewJob } = codec(jobShape);

const findingShape = z.object({
  severity: z.enum(["info", "warn", "fail", "error"]),
  message: z.string(),
  quote: z.string().exactOptional(),
  line: z.int().exactOptional(),
});

const outcomeShape = z.object({
  askedModel: z.string(),
  answeredModel: z.string(),
  partition: z.string(),
  raw: z.string(),
  reviews: objects({
    notePath: z.string(),
    gateId: z.string(),
    decision: z.enum(reviewDecisions),
    text: z.string(),
    summary: z.string().exactOptional(),
    findings: z.array(findingShape),
    suggestedRevision: z.string().exactOptional(),
  }),
  missing: objects({ notePath: z.string(), gateId: z.string() }),
  problem: z.string().exactOptional(),
  finishedAt: z.string(),
}) satisfies z.ZodType<ReviewOutcome>;

export const { encode: encodeReviewOutcome, decode: decodeReviewOutcome } = codec(outcomeShape);
