import type { LoopIteration } from "./iteration.ts";
import { type PanelRule, unnamedReviewer } from "./panel.ts";
import type { Recipe, RoleSettings } from "./recipe.ts";

export interface Role extends RoleSettings {
  readonly model: string;
}

export interface ReviewerRole extends Role {
  /** Absent: the only reviewer, which needs no name. */
  readonly label?: string;
  /** The role and criteria that the recipe gives this member of its panel. */
  readonly brief?: string;
}

/** Something the writer may use and the reviewer can check against. */
export interface Material {
  /** As the user knows it, such as the name of a file. */
  readonly name: string;
  readonly text: string;
}

/** The brief of a text that is given without one. */
export const noBrief =
  "No brief was given: the text is judged by the criteria alone, and what it says about its subject is kept.";

/** Everything a drafting loop is given, frozen when its job is created. */
export interface DraftInput {
  readonly assetId: string;
  readonly brief: string;
  readonly context?: readonly Material[];
  readonly recipe: Recipe;
  readonly creator: Role;
  readonly reviewers: readonly ReviewerRole[];
  readonly panelRule: PanelRule;
  /** Creators per turn. */
  readonly candidates: number;
  readonly maxTurns: number;
  readonly seed?: number;
  /** At least one side is signed by a rule-based stand-in. */
  readonly standIn: boolean;
  /** Scripted replies: ids depend on asset and iteration alone. */
  readonly fixedIds: boolean;
  /** The text must not become another one. */
  readonly lockedText?: string;
  readonly notes?: string;
  /** Given to the first creator call as the previous text, once. */
  readonly seedText?: string;
  /** A person's own text takes the place of the creator's in the first turn of this run. */
  readonly edited?: { readonly text: string; readonly by: string };
  /** The person's text is reviewed once, and nothing is written. */
  readonly reviewOnly?: true;
  /** The run whose ruling started this one. */
  readonly follows?: string;
  /** Turns of an earlier generation or of another program; the loop continues after them. */
  readonly previous: readonly LoopIteration[];
}

/** The reviewers as events and sessions name them. */
export function namedReviewers(reviewers: DraftInput["reviewers"]) {
  return reviewers.map(({ label = unnamedReviewer, model }) => ({ label, model }));
}
