import type { LiveText } from "../../api/live.ts";
import type { Turns } from "../../api/queries.ts";

export interface TurnInProgress {
  readonly texts: readonly { readonly index: number; readonly text: string }[];
  readonly reviews: readonly LiveText[];
}

/**
 * What is known of the turn that is being taken. A text that was written stays until the turn is complete; until it is
 * recorded, the words that have arrived stand for it.
 */
export function turnInProgress(
  { turn: recorded, candidates }: Pick<Turns, "turn" | "candidates">,
  said: readonly LiveText[],
): TurnInProgress {
  // Words arrive before the page has read that their turn has begun.
  const turn = Math.max(recorded, ...said.map(({ key }) => turnOf(key)));
  const ofTurn = said.filter(({ key }) => key.startsWith(`turn/${turn}/`));
  const texts = new Map<number, string>();
  for (const { key, text } of ofTurn.filter(({ key }) => isWriting(key))) {
    if (text !== "") texts.set(Number(/candidate\/(\d+)/u.exec(key)?.[1] ?? "1"), text);
  }
  for (const { index, content } of candidates) texts.set(index, content);
  return {
    texts: [...texts].sort(([a], [b]) => a - b).map(([index, text]) => ({ index, text })),
    reviews: ofTurn.filter(({ key }) => !isWriting(key)),
  };
}

function turnOf(key: string): number {
  return Number(/^turn\/(\d+)\//u.exec(key)?.[1] ?? "0");
}

function isWriting(key: string): boolean {
  return /\/create(?:$|\/)/u.test(key);
}
