import { describe, expect, it } from "vitest";
import { issueOf, reviewOf } from "../../../tests/support/drafting-story.ts";
import { bestCandidate, bestTurn } from "./best-candidate.ts";
import type { Review } from "./review.ts";

const error = issueOf();
const warning = issueOf({ severity: "warning" });

function bestOf(...reviews: readonly Partial<Review>[]) {
  return bestCandidate(reviews.map((review, at) => ({ index: at + 1, review: reviewOf(review) })))
    ?.index;
}

describe("bestCandidate", () => {
  it("prefers ok to everything else", () => {
    expect(bestOf({ score: 9 }, { verdict: "ok", issues: [warning, warning] })).toBe(2);
  });

  it("then looks for fewest errors, highest score, fewest warnings", () => {
    expect(bestOf({ issues: [error, error], score: 9 }, { issues: [error], score: 1 })).toBe(2);
    expect(bestOf({ score: 5, issues: [] }, { score: 7, issues: [warning] })).toBe(2);
    expect(bestOf({}, { score: 0, issues: [warning] })).toBe(2);
    expect(bestOf({ score: 5, issues: [warning] }, { score: 5 })).toBe(2);
  });

  it("takes the first among equals", () => {
    expect(bestOf({ score: 5 }, { score: 5 })).toBe(1);
    expect(bestCandidate([])).toBeUndefined();
  });
});

describe("bestTurn", () => {
  it("takes fewest errors, highest score, latest", () => {
    const turns = [
      { iteration: 1, issues: [error], score: 9 },
      { iteration: 2, issues: [], score: 4 },
      { iteration: 3, issues: [warning], score: 4 },
      { iteration: 4, issues: [], score: 3 },
    ].map((review) => ({ review: reviewOf(review) }));
    expect(bestTurn(turns)?.review.iteration).toBe(3);
    expect(bestTurn(turns.slice(0, 1))?.review.iteration).toBe(1);
    expect(bestTurn([])).toBeUndefined();
  });
});
