import { createHash } from "node:crypto";
import { createReviewFinalizer } from "../orchestration/gates/finalize-review.ts";
import { gateReviewFlow, gateReviewKind } from "../orchestration/gates/gate-review-flow.ts";
import type { Feature, FeatureParts } from "./feature.ts";

export function gatesFeature({ store, crash }: FeatureParts): Feature {
  return {
    flows: [[gateReviewKind, gateReviewFlow]],
    projectors: [createReviewFinalizer({ store, crash, digest: sha256 })],
  };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
