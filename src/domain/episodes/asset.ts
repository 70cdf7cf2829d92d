import type { Candidate } from "../drafting/candidate.ts";
import type { Review } from "../drafting/review.ts";
import { defined } from "../values/defined.ts";
import { type AssetKind, isAssetId, isAssetKind } from "./asset-kind.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

/** Everything written about one text of the episode. */
export interface Asset {
  readonly assetId: string;
  /** Present exactly when the id is one of the thirteen kinds. */
  readonly kind?: AssetKind;
  readonly candidates: readonly Candidate[];
  /** One per iteration, strictly increasing; gaps are allowed. */
  readonly reviews: readonly Review[];
  readonly selectedCandidateId?: string;
}

/** Checks every rule of an asset; throws `InvalidEpisode` naming the broken one. */
export function makeAsset(asset: Asset): Asset {
  checkAssetId(asset.assetId);
  if (asset.kind !== undefined && asset.kind !== asset.assetId) {
    throw new InvalidEpisode(
      "kind-equals-asset-id",
      `asset "${asset.assetId}" has kind "${asset.kind}"; the kind must equal the id`,
    );
  }
  checkCandidates(asset);
  checkReviews(asset);
  const selected = asset.selectedCandidateId;
  if (selected !== undefined && !asset.candidates.some((one) => one.candidateId === selected)) {
    throw new InvalidEpisode(
      "selected-candidate-exists",
      `asset "${asset.assetId}" selects candidate ${selected}, which is not among its candidates`,
    );
  }
  return asset;
}

export function emptyAsset(assetId: string): Asset {
  return makeAsset({
    assetId,
    ...(isAssetKind(assetId) ? { kind: assetId } : {}),
    candidates: [],
    reviews: [],
  });
}

/**
 * Adds what a run produced and keeps everything that was there: earlier candidates, earlier reviews, the
 * selection. A review of the same iteration replaces the stored one, so applying a run twice changes nothing.
 */
export function mergeAsset(stored: Asset, produced: Omit<Asset, "kind">): Asset {
  const selected = produced.selectedCandidateId ?? stored.selectedCandidateId;
  const candidates = new Map(
    [...stored.candidates, ...produced.candidates].map((one) => [one.candidateId, one]),
  );
  const reviews = new Map(
    [...stored.reviews, ...produced.reviews].map((one) => [one.iteration, one]),
  );
  return makeAsset({
    ...stored,
    candidates: [...candidates.values()],
    reviews: [...reviews.values()].sort((left, right) => left.iteration - right.iteration),
    ...defined({ selectedCandidateId: selected }),
  });
}

export function selectCandidate(asset: Asset, candidateId: string): Asset {
  return makeAsset({ ...asset, selectedCandidateId: candidateId });
}

export function checkAssetId(assetId: string): void {
  if (!isAssetId(assetId)) {
    throw new InvalidEpisode(
      "asset-id",
      `"${assetId}" is not an asset id: lower-case letters, digits and _, beginning with a letter`,
    );
  }
}

function checkCandidates({ assetId, candidates }: Asset): void {
  const seen = new Set<string>();
  for (const candidate of candidates) {
    if (candidate.assetId !== assetId) {
      throw new InvalidEpisode(
        "candidate-belongs-to-asset",
        `candidate ${candidate.candidateId} is for asset "${candidate.assetId}", not "${assetId}"`,
      );
    }
    if (seen.has(candidate.candidateId)) {
      throw new InvalidEpisode(
        "candidate-id-unique",
        `asset "${assetId}" has candidate ${candidate.candidateId} twice`,
      );
    }
    seen.add(candidate.candidateId);
  }
}

function checkReviews({ assetId, reviews }: Asset): void {
  let last = 0;
  for (const review of reviews) {
    checkReview(review);
    if (review.iteration <= last) {
      throw new InvalidEpisode(
        "review-iterations-increase",
        `asset "${assetId}" has review iteration ${review.iteration} after ${last}`,
      );
    }
    last = review.iteration;
  }
}

/** `ok` and an error issue exclude each other; iterations count from 1. */
export function checkReview(review: Review): void {
  if (!Number.isInteger(review.iteration) || review.iteration < 1) {
    throw new InvalidEpisode(
      "iteration-from-one",
      `iteration ${review.iteration} is not 1 or more`,
    );
  }
  if (review.verdict === "ok" && review.issues.some((issue) => issue.severity === "error")) {
    throw new InvalidEpisode(
      "ok-without-errors",
      `review of iteration ${review.iteration}: verdict ok cannot include issues of severity error`,
    );
  }
}
