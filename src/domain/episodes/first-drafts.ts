import type { Candidate } from "../drafting/candidate.ts";
import type { ProvenanceRef } from "../drafting/provenance.ts";

/** What sets one draft of a text apart from the others; the form that the recipe asks for stays the same. */
const angles = [
  "Start from the most surprising concrete thing that is said.",
  "Start from the people: who they are and why this matters to them.",
  "Start from the question or problem that the episode answers.",
  "Start from what a listener can do differently afterwards.",
  "Start from a scene or an example in the conversation.",
] as const;

/** The angle of the n-th draft, from 1. Beyond the list, other facts of the episode are asked for. */
export function draftAngle(index: number): string {
  const angle = angles[(index - 1) % angles.length];
  const round = Math.floor((index - 1) / angles.length);
  const more =
    round === 0 ? "" : ` Use other facts than the obvious ones (variation ${round + 1}).`;
  return `Several people draft this text independently. ${angle}${more}`;
}

/** How many drafts were asked for, so that equal ones that were dropped are not asked for again. */
export function draftedAs(index: number, asked: number): ProvenanceRef {
  return { kind: "draft", ref: String(index), metadata: { asked } };
}

/** Of drafts of one text: as many as are there, or as were asked for at once. */
export function countDrafts(drafts: readonly Pick<Candidate, "provenance">[]): number {
  const asked = drafts.flatMap(({ provenance }) =>
    provenance.flatMap(({ kind, metadata }) => (kind === "draft" ? [Number(metadata.asked)] : [])),
  );
  return Math.max(drafts.length, ...asked);
}
