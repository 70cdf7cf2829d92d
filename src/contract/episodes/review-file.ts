import { z } from "zod";
import type { Review } from "../../domain/drafting/review.ts";
import { verdicts } from "../../domain/drafting/review.ts";
import { checkReview } from "../../domain/episodes/asset.ts";
import { jsonText } from "../documents/json-text.ts";
import { strictObjects } from "../documents/shapes.ts";
import { type CamelCaseKeys, snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedIdOf } from "./stored-id.ts";
import { storedProvenance, storedTimeOrOldest, storedUuid } from "./stored-values.ts";

/** `copy/reviews/<asset>/iteration_NN[.<reviewer>].json`, also inside state and protocol files. */
export const storedReview = z.strictObject({
  created_at: storedTimeOrOldest,
  issues: strictObjects({
    code: z.string().nullish(),
    field: z.string().nullish(),
    issue_id: storedUuid.nullish(),
    message: z.string(),
    severity: z.enum(["error", "warning"]).default("error"),
  }).default([]),
  iteration: z.int().min(1),
  provenance: storedProvenance.default([]),
  reviewer: z.string().nullish(),
  summary: z.string().nullish(),
  verdict: z.enum(verdicts),
});

export function parseReviewFile(text: string, file: string): Review {
  return parseJsonFile({ file, text }, storedReview, (stored) => {
    const review = toReview(stored);
    checkReview(review);
    return review;
  });
}

export function renderReviewFile(review: Review): string {
  return jsonText(snakeCaseKeys(storedReview, review));
}

/** Who raised an issue is not in this shape; the ledger knows, and until then it is the review's own label. */
export function toReview(stored: CamelCaseKeys<z.output<typeof storedReview>>): Review {
  const reviewer = stored.reviewer ?? "reviewer";
  return {
    ...stored,
    issues: stored.issues.map((issue, at) => ({
      ...issue,
      issueId: issue.issueId ?? storedIdOf(String(stored.iteration), String(at), issue.message),
      ...{ reviewer, late: false },
    })),
  };
}
