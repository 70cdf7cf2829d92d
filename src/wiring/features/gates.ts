import { lazily } from "../../domain/values/lazily.ts";
import {
  gateReviewEvents,
  gateReviewKind,
  gateSweepKind,
} from "../../orchestration/gates/gate-kinds.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Loads nothing until notes are reviewed. */
export function gatesFeature(parts: FeatureParts): Feature {
  const load = lazily(async () => (await import("./gate-flows.ts")).gateFlowsOf(parts));
  return {
    flows: [
      [gateReviewKind, laterFlow(load, "review"), "anywhere"],
      [gateSweepKind, laterFlow(load, "sweep"), "home"],
    ],
    projectors: [laterProjector(load, "finalizer", { kinds: gateReviewEvents, writes: "rows" })],
  };
}
