import { lazily } from "../../domain/values/lazily.ts";
import { projectedRunEvents } from "../../orchestration/scenarios/run-event-kinds.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

const jobs = ["scenario", "pack", "pack-loop", "stage-repair"] as const;

/** Loads nothing until a scenario runs: HTTP, patterns and manifests are expensive to load. */
export function scenariosFeature(parts: FeatureParts): Feature {
  const load = lazily(async () => (await import("./scenario-flows.ts")).scenarioFlowsOf(parts));
  return {
    flows: [
      ["scenario", laterFlow(load, "scenario"), "anywhere"],
      ["pack", laterFlow(load, "pack"), "anywhere"],
      ["pack-loop", laterFlow(load, "loop"), "anywhere"],
      ["stage-repair", laterFlow(load, "repair"), "home"],
    ],
    projectors: [laterProjector(load, "projector", { jobs, kinds: projectedRunEvents })],
  };
}
