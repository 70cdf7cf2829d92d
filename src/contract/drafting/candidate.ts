import { z } from "zod";
import type { Candidate, IssueAnswer } from "../../domain/drafting/candidate.ts";
import { textFormats } from "../../domain/drafting/candidate.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import { instantShape, jsonShape } from "./values.ts";

export const provenanceShape = z.object({
  kind: z.string(),
  ref: z.string(),
  createdAt: instantShape.exactOptional(),
  metadata: z.record(z.string(), jsonShape),
}) satisfies z.ZodType<ProvenanceRef>;

export const candidateShape = z.object({
  candidateId: z.string(),
  assetId: z.string(),
  format: z.enum(textFormats),
  content: z.string(),
  createdAt: instantShape,
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<Candidate>;

export const issueAnswerShape = z.object({
  issueId: z.string(),
  answer: z.enum(["fixed", "rebutted", "deferred"]),
  reason: z.string().exactOptional(),
}) satisfies z.ZodType<IssueAnswer>;
