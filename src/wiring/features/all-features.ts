import type { Flow, Place } from "../../ports/flow.ts";
import { draftingFeature } from "./drafting.ts";
import { episodesFeature } from "./episodes.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { gatesFeature } from "./gates.ts";
import { scenariosFeature } from "./scenarios.ts";

/** The only place where features are registered. */
export function projectFeatures(parts: FeatureParts): readonly Feature[] {
  return [
    draftingFeature(parts),
    episodesFeature(parts),
    gatesFeature(parts),
    scenariosFeature(parts),
  ];
}

export function flowsOf(features: readonly Feature[]): ReadonlyMap<string, Flow> {
  return new Map(features.flatMap(({ flows }) => flows.map(([kind, flow]) => [kind, flow])));
}

/** Where the jobs of each kind can be executed. */
export function placesOf(features: readonly Feature[]): ReadonlyMap<string, Place> {
  return new Map(features.flatMap(({ flows }) => flows.map(([kind, , place]) => [kind, place])));
}
