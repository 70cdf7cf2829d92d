import { diffWords } from "diff";

export interface Change {
  readonly kind: "added" | "removed" | "same";
  readonly text: string;
  readonly at: number;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Hostile texts would take for ever; beyond this many edits the whole text counts as rewritten. */
const mostEdits = 4_000;

/** What changed between two texts, word by word; empty when nothing did. */
export function diffTexts(before: string, after: string): readonly Change[] {
  if (before === after) return [];
  const changes = diffWords(before, after, { intlSegmenter: words, maxEditLength: mostEdits });
  if (changes === undefined) {
    return [
      { kind: "removed", text: before, at: 0 },
      { kind: "added", text: after, at: 1 },
    ];
  }
  return changes.map(({ value, added, removed }, at) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
    at,
  }));
}
