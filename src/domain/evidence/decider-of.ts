import type { Decider } from "./standing.ts";

/** Who decides when this model is asked. */
export function deciderOf(model: string): Decider {
  if (model.startsWith("script:")) return "scripted";
  return model.startsWith("offline/") ? "stand_in" : "model";
}

export function decidersOf(models: readonly string[]): readonly Decider[] {
  return [...new Set(models.map(deciderOf))];
}
