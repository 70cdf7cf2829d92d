import { z } from "zod";
import type { RaisedIssue, Review, ReviewIssue } from "../../domain/drafting/review.ts";
import { provenanceShape } from "./candidate.ts";
import { instantShape } from "./values.ts";

export const raisedIssueShape = z.object({
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  code: z.string().exactOptional(),
  field: z.string().exactOptional(),
  quote: z.string().exactOptional(),
}) satisfies z.ZodType<RaisedIssue>;

export const reviewIssueShape = raisedIssueShape.extend({
  issueId: z.string(),
  reviewer: z.string(),
  late: z.boolean(),
}) satisfies z.ZodType<ReviewIssue>;

export const reviewShape = z.object({
  iteration: z.int(),
  verdict: z.enum(["ok", "changes_requested", "needs_human"]),
  issues: z.array(reviewIssueShape),
  reviewer: z.string().exactOptional(),
  createdAt: instantShape,
  summary: z.string().exactOptional(),
  score: z.number().exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<Review>;
