/**
 * How firmly an acceptance is supported: `proven` was derived from its evidence just now, `attested` is claimed by a line
 * or record whose evidence is not at hand.
 */
export type Support = "proven" | "attested";

/** Who decided: a model, a recorded script, one of the built-in stand-ins, or a person. */
export const knownDeciders = ["model", "scripted", "stand_in", "person"] as const;
export type Decider = (typeof knownDeciders)[number];

/** Something an acceptance lacks, and the command that supplies it. */
export interface MissingEvidence {
  readonly text: string;
  readonly command?: string;
}

/** Whether one thing is accepted, derived from its evidence. */
export type Standing = AcceptedStanding | RefusedStanding;

interface StandingBase {
  readonly kind: "draft" | "episode-text" | "note" | "pack-run" | "stage";
  /** What a person calls the thing; also what `signoff verify` takes to verify only this one. */
  readonly name: string;
  /** One sentence: why it is accepted or not. */
  readonly why: string;
}

export interface AcceptedStanding extends StandingBase {
  readonly accepted: true;
  readonly support: Support;
  readonly deciders: readonly Decider[];
}

export interface RefusedStanding extends StandingBase {
  readonly accepted: false;
  readonly missing: readonly MissingEvidence[];
}

/** The sentence for decisions that no model made, if there were any. */
export function notByModel(deciders: readonly Decider[]): string | undefined {
  if (deciders.includes("stand_in")) return "decided by a built-in stand-in, not by a model";
  if (deciders.includes("scripted")) return "decided by a script, not by a model";
  return undefined;
}
