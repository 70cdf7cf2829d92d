import type { Review, Severity } from "./review.ts";

/** The candidate to continue with: the first that is `ok`; without one, fewest errors, highest score, fewest warnings. */
export function bestCandidate<T extends { readonly index: number; readonly review: Review }>(
  candidates: readonly T[],
): T | undefined {
  const inOrder = candidates.toSorted((a, b) => a.index - b.index);
  const approved = inOrder.find(({ review }) => review.verdict === "ok");
  if (approved !== undefined) return approved;
  return inOrder.toSorted(
    (a, b) =>
      byQuality(a.review, b.review) || count(a.review, "warning") - count(b.review, "warning"),
  )[0];
}

/** The turn to show when none was approved: fewest errors, highest score, latest. */
export function bestTurn<T extends { readonly review: Review }>(
  turns: readonly T[],
): T | undefined {
  return turns.toSorted(
    (a, b) => byQuality(a.review, b.review) || b.review.iteration - a.review.iteration,
  )[0];
}

function count(review: Review, severity: Severity): number {
  return review.issues.filter((issue) => issue.severity === severity).length;
}

/** Fewest errors, then the highest score; no score is below every score. */
function byQuality(a: Review, b: Review): number {
  const errors = count(a, "error") - count(b, "error");
  if (errors !== 0 || a.score === b.score) return errors;
  return (b.score ?? Number.NEGATIVE_INFINITY) - (a.score ?? Number.NEGATIVE_INFINITY);
}
