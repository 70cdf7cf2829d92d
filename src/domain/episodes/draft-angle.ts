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
  const more = round === 0 ? "" : ` Use other facts than the obvious ones (variation ${round + 1}).`;
  return `Several people draft this text independently. ${angle}${more}`;
}
