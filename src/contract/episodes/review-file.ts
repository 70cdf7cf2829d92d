import { z } from "zod";
import type { Review } from "../../domain/drafting/review.ts";
import { checkReview } from "../../domain/episodes/asset.ts";
import { jsonText } from "../documents/json-text.ts";
import { parseJsonFile } from "./json-file.ts";
import {
  fromProvenance,
  present,
  storedProvenance,
  storedTime,
  storedUuid,
  toProvenance,
} from "./stored-values.ts";

/** `copy/reviews/<asset>/iteration_NN[.<reviewer>].json`, also inside state and protocol files. */
export const storedReview = z.strictObject({
  created_at: storedTime,
  issues: z
    .array(
      z.strictObject({
        code: z.string().nullish(),
        field: z.string().nullish(),
        issue_id: storedUuid,
        message: z.string(),
        severity: z.enum(["error", "warning"]).default("error"),
      }),
    )
    .default([]),
  iteration: z.int().min(1),
  provenance: storedProvenance.default([]),
  reviewer: z.string().nullish(),
  summary: z.string().nullish(),
  verdict: z.enum(["ok", "changes_requested", "needs_human"]),
});

export function parseReviewFile(text: string, file: string): Review {
  return parseJsonFile(text, file, {
    shape: storedReview,
    toValue: (stored) => {
      const review = toReview(stored);
      checkReview(review);
      return review;
    },
  });
}

export function renderReviewFile(review: Review): string {
  return jsonText(fromReview(review));
}

/** Who raised an issue is not in this shape; the ledger knows, and until then it is the review's own label. */
export function toReview(stored: z.output<typeof storedReview>): Review {
  return {
    iteration: stored.iteration,
    verdict: stored.verdict,
    issues: stored.issues.map((issue) => ({
      issueId: issue.issue_id,
      severity: issue.severity,
      message: issue.message,
      ...present("code", issue.code),
      ...present("field", issue.field),
      reviewer: stored.reviewer ?? "reviewer",
      late: false,
    })),
    ...present("reviewer", stored.reviewer),
    createdAt: stored.created_at,
    ...present("summary", stored.summary),
    provenance: toProvenance(stored.provenance),
  };
}

export function fromReview(review: Review): object {
  return {
    created_at: review.createdAt,
    issues: review.issues.map((issue) => ({
      code: issue.code ?? null,
      field: issue.field ?? null,
      issue_id: issue.issueId,
      message: issue.message,
      severity: issue.severity,
    })),
    iteration: review.iteration,
    provenance: fromProvenance(review.provenance),
    reviewer: review.reviewer ?? null,
    summary: review.summary ?? null,
    verdict: review.verdict,
  };
}
