import fc from "fast-check";
import { expect, test } from "vitest";
import type { Candidate } from "../drafting/candidate.ts";
import type { Review } from "../drafting/review.ts";
import { instant } from "../values/instant.ts";
import { type Asset, emptyAsset, makeAsset, mergeAsset, selectCandidate } from "./asset.ts";
import { assetKinds, isAssetId } from "./asset-kind.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

const at = instant("2026-03-01T10:00:00Z");

function draft(candidateId: string, assetId = "description"): Candidate {
  return {
    candidateId,
    assetId,
    format: "markdown",
    content: "Bread.",
    createdAt: at,
    provenance: [],
  };
}

function verdict(iteration: number, changes: Partial<Review> = {}): Review {
  return {
    iteration,
    verdict: "changes_requested",
    issues: [],
    createdAt: at,
    provenance: [],
    ...changes,
  };
}

function broken(asset: Asset): string {
  try {
    makeAsset(asset);
  } catch (error) {
    if (error instanceof InvalidEpisode) return error.rule;
    throw error;
  }
  return "none";
}

const description: Asset = {
  assetId: "description",
  kind: "description",
  candidates: [draft("one"), draft("two")],
  reviews: [verdict(1), verdict(4)],
  selectedCandidateId: "two",
};

test("an asset that keeps every rule is taken as it is, gaps between iterations included", () => {
  expect(makeAsset(description)).toBe(description);
});

test.each<[string, Partial<Asset>]>([
  ["asset-id", { assetId: "Description" }],
  ["kind-equals-asset-id", { kind: "slug" }],
  ["candidate-belongs-to-asset", { candidates: [draft("one", "slug"), draft("two")] }],
  ["candidate-id-unique", { candidates: [draft("two"), draft("two")] }],
  ["review-iterations-increase", { reviews: [verdict(2), verdict(1)] }],
  ["review-iterations-increase", { reviews: [verdict(2), verdict(2)] }],
  ["iteration-from-one", { reviews: [verdict(0)] }],
  ["selected-candidate-exists", { selectedCandidateId: "three" }],
])("the rule %s is named when it is broken", (rule, change) => {
  expect(broken({ ...description, ...change })).toBe(rule);
});

test("ok excludes errors but not warnings", () => {
  const issue = {
    issueId: "i",
    reviewer: "r",
    late: false,
    message: "dry",
    severity: "warning",
  } as const;
  const ok = verdict(1, { verdict: "ok", issues: [issue] });
  expect(broken({ ...description, reviews: [ok] })).toBe("none");
  const contradiction = { ...ok, issues: [{ ...issue, severity: "error" as const }] };
  expect(broken({ ...description, reviews: [contradiction] })).toBe("ok-without-errors");
});

test("a rerun adds to what was there and never drops a candidate, a review or the selection", () => {
  const rerun = mergeAsset(description, {
    assetId: "description",
    candidates: [draft("three")],
    reviews: [verdict(5, { verdict: "needs_human" })],
  });
  expect(rerun.candidates.map((one) => one.candidateId)).toEqual(["one", "two", "three"]);
  expect(rerun.reviews.map((one) => one.iteration)).toEqual([1, 4, 5]);
  expect(rerun.selectedCandidateId).toBe("two");
});

test("merging the same result twice is merging it once", () => {
  const ids = fc.uniqueArray(fc.stringMatching(/^[a-f0-9]{4}$/), { maxLength: 6 });
  const iterations = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 6 });
  fc.assert(
    fc.property(ids, ids, iterations, iterations, (before, after, earlier, later) => {
      const build = (some: string[], numbers: number[]): Asset => ({
        ...emptyAsset("description"),
        candidates: some.map((id) => draft(id)),
        reviews: numbers.sort((a, b) => a - b).map((number) => verdict(number)),
      });
      const once = mergeAsset(build(before, earlier), build(after, later));
      expect(mergeAsset(once, build(after, later))).toEqual(once);
      expect(new Set(once.candidates.map((one) => one.candidateId))).toEqual(
        new Set([...before, ...after]),
      );
    }),
  );
});

test("refuses to select an unknown candidate", () => {
  expect(selectCandidate(description, "one").selectedCandidateId).toBe("one");
  expect(() => selectCandidate(description, "nine")).toThrow(/not among its candidates/);
});

test("asset ids are the thirteen kinds and anything shaped like them", () => {
  expect([...assetKinds, "press_release_2"].every(isAssetId)).toBe(true);
  expect(["", "Slug", "2nd", "a-b", "slug\n", "a b", "../x"].some(isAssetId)).toBe(false);
  expect(emptyAsset("press_release")).toEqual({
    assetId: "press_release",
    candidates: [],
    reviews: [],
  });
});
