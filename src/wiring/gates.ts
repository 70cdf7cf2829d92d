import { createReviewFinalizer } from "../orchestration/gates/finalize-review.ts";
import { gateReviewFlow, gateReviewKind } from "../orchestration/gates/gate-review-flow.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { sha256 } from "./sha256.ts";

export function gatesFeature({ store, crash }: FeatureParts): Feature {
  return {
    flows: [[gateReviewKind, gateReviewFlow]],
    projectors: [createReviewFinalizer({ store, crash, digest: sha256 })],
  };
}
