import type { Decider } from "./standing.ts";

/** Who answers under the name of a model. */
export function deciderOf(model: string): Exclude<Decider, "person"> {
  if (model.startsWith("offline/")) return "stand_in";
  return model.startsWith("script:") ? "scripted" : "model";
}
