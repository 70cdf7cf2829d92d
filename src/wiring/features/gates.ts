import { gateReviewEvents, gateReviewKind } from "../../orchestration/gates/gate-kinds.ts";
import { sha256 } from "../project/sha256.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Nothing of it is loaded before notes are reviewed. */
export function gatesFeature({ store, crash }: FeatureParts): Feature {
  return {
    flows: [
      [
        gateReviewKind,
        laterFlow(
          async () =>
            (await import("../../orchestration/gates/gate-review-flow.ts")).gateReviewFlow,
        ),
      ],
    ],
    projectors: [
      laterProjector({ kinds: gateReviewEvents }, async () => {
        const { createReviewFinalizer } = await import(
          "../../orchestration/gates/finalize-review.ts"
        );
        return createReviewFinalizer({ store, crash, digest: sha256 });
      }),
    ],
  };
}
