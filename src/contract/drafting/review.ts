import { z } from "zod";
import type { PanelDecision } from "../../domain/drafting/panel.ts";
import { panelRules } from "../../domain/drafting/panel.ts";
import type { RaisedIssue, Review, ReviewIssue } from "../../domain/drafting/review.ts";
import { verdicts } from "../../domain/drafting/review.ts";
import type { MemberSignature, Signature } from "../../domain/drafting/signature.ts";
import { provenanceShape } from "./candidate.ts";
import { instantShape } from "./values.ts";

const verdictShape = z.enum(verdicts);

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

const signatureShape = z.object({
  how: z.enum(["bare", "asked", "refused"]),
  beside: z.string().exactOptional(),
}) satisfies z.ZodType<Signature>;

export const memberSignatureShape = signatureShape.extend({
  reviewer: z.string(),
  model: z.string().exactOptional(),
}) satisfies z.ZodType<MemberSignature>;

export const voteShape = z.object({
  rule: z.enum(panelRules),
  verdict: verdictShape,
  approved: z.array(z.string()),
  objected: z.array(z.string()),
  calledPerson: z.array(z.string()),
  absent: z.array(z.string()),
}) satisfies z.ZodType<PanelDecision>;

export const reviewShape = z.object({
  iteration: z.int(),
  verdict: verdictShape,
  issues: z.array(reviewIssueShape),
  reviewer: z.string().exactOptional(),
  createdAt: instantShape,
  summary: z.string().exactOptional(),
  score: z.number().exactOptional(),
  signature: signatureShape.exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<Review>;
