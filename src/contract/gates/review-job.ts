import { z } from "zod";
import { reviewDecisions } from "../../domain/gates/decision.ts";
import type { ReviewJob, ReviewOutcome } from "../../domain/gates/review-job.ts";
import type { Json } from "../../domain/values/json.ts";
import { fromWire, toWire } from "../documents/snake-case.ts";

const jobShape = z.object({
  shape: z.enum(["bundle", "sweep"]),
  model: z.string(),
  live: z.boolean(),
  aliases: z.record(z.string(), z.string()),
  notes: z.array(
    z.object({
      path: z.string(),
      blobSha: z.string(),
      text: z.string(),
      links: z.array(
        z.object({
          text: z.string(),
          destination: z.string(),
          path: z.string().exactOptional(),
        }),
      ),
    }),
  ),
  gates: z.array(z.object({ id: z.string(), blobSha: z.string(), body: z.string() })),
}) satisfies z.ZodType<ReviewJob>;

export function encodeReviewJob(job: ReviewJob): Json {
  return toWire(jobShape, job, { absent: "omit" });
}

export function decodeReviewJob(json: Json): ReviewJob {
  return fromWire(jobShape, json);
}

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
  reviews: z.array(
    z.object({
      notePath: z.string(),
      gateId: z.string(),
      decision: z.enum(reviewDecisions),
      text: z.string(),
      summary: z.string().exactOptional(),
      findings: z.array(findingShape),
      suggestedRevision: z.string().exactOptional(),
    }),
  ),
  missing: z.array(z.object({ notePath: z.string(), gateId: z.string() })),
  problem: z.string().exactOptional(),
  finishedAt: z.string(),
}) satisfies z.ZodType<ReviewOutcome>;

export function encodeReviewOutcome(outcome: ReviewOutcome): Json {
  return toWire(outcomeShape, outcome, { absent: "omit" });
}

export function decodeReviewOutcome(json: Json): ReviewOutcome {
  return fromWire(outcomeShape, json);
}
