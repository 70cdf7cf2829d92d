import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";
import { sha256 } from "./sha256.ts";

/** Nothing of it is loaded before a note is reviewed. */
export function gatesFeature({ store, crash }: FeatureParts): Feature {
  return {
    flows: [
      [
        "gate-review",
        laterFlow(
          async () => (await import("../orchestration/gates/gate-review-flow.ts")).gateReviewFlow,
        ),
      ],
    ],
    projectors: [
      laterProjector({ kinds: ["gates-reviewed"] }, async () => {
        const { createReviewFinalizer } = await import("../orchestration/gates/finalize-review.ts");
        return createReviewFinalizer({ store, crash, digest: sha256 });
      }),
    ],
  };
}
