import { existsSync } from "node:fs";
import { join } from "node:path";
import { createReviewFinalizer } from "../../orchestration/gates/finalize-review.ts";
import { gateReviewFlow } from "../../orchestration/gates/gate-review-flow.ts";
import { createSweepFlow } from "../../orchestration/gates/gate-sweep-flow.ts";
import { deadBy } from "../project/run-source.ts";
import { sha256 } from "../project/sha256.ts";
import type { FeatureParts } from "./feature.ts";

/** Everything that reviews notes, loaded together on first use. */
export function gateFlowsOf({ root, store, clock, crash }: FeatureParts) {
  const exists = (path: string) => existsSync(join(root, path));
  return {
    review: gateReviewFlow,
    sweep: createSweepFlow({ store, runs: store.runs, clock, isDead: deadBy(clock), exists }),
    finalizer: createReviewFinalizer({ store, crash, digest: sha256 }),
  };
}
