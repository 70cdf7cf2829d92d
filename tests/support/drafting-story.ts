import type { Candidate } from "../../src/domain/drafting/candidate.ts";
import type { LoopIteration, LoopState } from "../../src/domain/drafting/iteration.ts";
import type { Review, ReviewerReply, ReviewIssue } from "../../src/domain/drafting/review.ts";
import { instant } from "../../src/domain/values/instant.ts";

/** Values for the example of a shop that wants a slogan for its water bottles. */

export const morning = instant("2026-03-02T08:00:00.000Z");

export function candidateOf(content: string, about: Partial<Candidate> = {}): Candidate {
  return {
    candidateId: `candidate of ${content}`,
    assetId: "slogan",
    format: "plain",
    content,
    createdAt: morning,
    provenance: [],
    ...about,
  };
}

export function issueOf(about: Partial<ReviewIssue> = {}): ReviewIssue {
  return {
    issueId: "vague",
    severity: "error",
    message: "Good rhythm but vague.",
    reviewer: "ada",
    late: false,
    ...about,
  };
}

export function reviewOf(about: Partial<Review> = {}): Review {
  return {
    iteration: 1,
    verdict: "changes_requested",
    issues: [],
    reviewer: "ada",
    createdAt: morning,
    provenance: [],
    ...about,
  };
}

export function replyOf(about: Partial<ReviewerReply> = {}): ReviewerReply {
  return { verdict: "changes_requested", issues: [], kept: [], closed: [], ...about };
}

export function turnOf(
  iteration: number,
  content: string,
  about: Partial<LoopIteration> = {},
): LoopIteration {
  return {
    iteration,
    creatorDone: true,
    candidate: candidateOf(content),
    review: reviewOf({ iteration }),
    answers: [],
    panel: [],
    losers: [],
    ledger: [],
    ...about,
  };
}

export function stateOf(
  iterations: readonly LoopIteration[],
  about: Partial<LoopState> = {},
): LoopState {
  return { maxIterations: 5, iterations, ...about };
}
