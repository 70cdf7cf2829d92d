import { z } from "zod";
import type { LoopDecision } from "../../domain/drafting/decision.ts";
import type { LedgerEntry } from "../../domain/drafting/issue-ledger.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import { jsonWriter } from "../documents/codec.ts";
import { objects } from "../documents/shapes.ts";
import { candidateShape, issueAnswerShape } from "./candidate.ts";
import { reviewIssueShape, reviewShape, voteShape } from "./review.ts";

export const decisionShape = z.object({
  outcome: z.enum(["converged", "needs_human", "in_progress"]),
  finalIteration: z.int().exactOptional(),
  reason: z.string().exactOptional(),
  lockedFields: z.array(z.enum(["outcome", "final_iteration", "reason"])),
}) satisfies z.ZodType<LoopDecision>;

const ledgerEntryShape = z.object({
  issue: reviewIssueShape,
  raisedIn: z.int(),
  status: z.enum(["open", "closed"]),
  closedIn: z.int().exactOptional(),
  answer: issueAnswerShape.extend({ iteration: z.int() }).exactOptional(),
  overruledIn: z.int().exactOptional(),
}) satisfies z.ZodType<LedgerEntry>;

export const iterationShape = z.object({
  iteration: z.int(),
  creatorDone: z.boolean(),
  candidate: candidateShape,
  review: reviewShape,
  answers: z.array(issueAnswerShape),
  panel: z.array(reviewShape),
  vote: voteShape.exactOptional(),
  losers: objects({ candidate: candidateShape, review: reviewShape }),
  ledger: z.array(ledgerEntryShape),
}) satisfies z.ZodType<LoopIteration>;

export const encodeDecision = jsonWriter(decisionShape, "omit");

export const encodeIteration = jsonWriter(iterationShape, "null");
