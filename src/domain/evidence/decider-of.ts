import { personReviewer } from "../drafting/issue-ledger.ts";
import type { Decider } from "./standing.ts";

/** Who decides when this model is asked. */
export function deciderOf(model: string): Decider {
  if (model.startsWith("script:")) return "scripted";
  return model.startsWith("offline/") ? "stand_in" : "model";
}

/** A person who gave the text of a review did not decide about it. */
export function decidersOf(models: readonly string[]): readonly Decider[] {
  return [...new Set(models.filter((model) => model !== personReviewer).map(deciderOf))];
}
