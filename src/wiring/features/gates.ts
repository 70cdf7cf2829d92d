import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDead } from "../../adapters/engines/embedded/process-owner.ts";
import { millisOf } from "../../domain/values/instant.ts";
import {
  gateReviewEvents,
  gateReviewKind,
  gateSweepKind,
} from "../../orchestration/gates/gate-kinds.ts";
import type { Flow } from "../../ports/flow.ts";
import { sha256 } from "../project/sha256.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Nothing of it is loaded before notes are reviewed. */
export function gatesFeature(parts: FeatureParts): Feature {
  const { store, crash } = parts;
  return {
    flows: [
      [
        gateReviewKind,
        laterFlow(
          async () =>
            (await import("../../orchestration/gates/gate-review-flow.ts")).gateReviewFlow,
        ),
      ],
      [gateSweepKind, laterFlow(() => sweepFlowOf(parts))],
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

async function sweepFlowOf({ root, store, clock }: FeatureParts): Promise<Flow> {
  const { createSweepFlow } = await import("../../orchestration/gates/gate-sweep-flow.ts");
  return createSweepFlow({
    store,
    runs: store.runs,
    isDead: (holder) => isDead(holder, millisOf(clock.now())),
    exists: (path) => existsSync(join(root, path)),
  });
}
