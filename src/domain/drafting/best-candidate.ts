import type { Review, Severity } from "./review.ts";

/** The candidate that goes on: the first that is `ok`; without one, fewest errors, highest score, fewest warnings. */
export function bestCandidate<T extends { readonly index: number; readonly review: Review }>(
  candidates: readonly T[],
): T | undefined {
  const inOrder = candidates.toSorted((a, b) => a.index - b.index);
  const approved = inOrder.find(({ review }) => review.verdict === "ok");
  if (approved !== undefined) return approved;
  return inOrder.toSorted(
    (a, b) =>
      count(a.review, "error") - count(b.review, "error") ||
      byScore(a.review, b.review) ||
      count(a.review, "warning") - count(b.review, "warning"),
  )[0];
}

/** The turn to show when none was approved: fewest errors, highest score, latest. */
export function bestTurn<T extends { readonly review: Review }>(
  turns: readonly T[],
): T | undefined {
  return turns.toSorted(
    (a, b) =>
      count(a.review, "error") - count(b.review, "error") ||
      byScore(a.review, b.review) ||
      b.review.iteration - a.review.iteration,
  )[0];
}

function count(review: Review, severity: Severity): number {
  return review.issues.filter((issue) => issue.severity === severity).length;
}

/** No score is below every score. */
function byScore(a: Review, b: Review): number {
  if (a.score === b.score) return 0;
  if (a.score === undefined) return 1;
  if (b.score === undefined) return -1;
  return b.score - a.score;
}
