import { diffArrays, diffWords } from "diff";
import { type Piece, paragraphsOf } from "./text-blocks.ts";

type Change = Omit<Piece, "at">;

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Hostile texts would take for ever; beyond this many edits a stretch counts as rewritten. */
const mostEdits = 4_000;
/** Word by word, longer stretches take longer than a person waits. */
const mostCharacters = 60_000;

/** What changed between two texts: paragraphs first, then the words of those that changed. Empty when nothing did. */
export function diffTexts(before: string, after: string): readonly Change[] {
  if (before === after) return [];
  const blocks = diffArrays([...paragraphsOf(before)], [...paragraphsOf(after)], {
    maxEditLength: mostEdits,
  }) ?? [
    { value: [before], removed: true },
    { value: [after], added: true },
  ];
  const changes: Change[] = [];
  let removed = "";
  for (const { value, ...block } of blocks) {
    const text = value.join("");
    if (block.removed) {
      removed = text;
      continue;
    }
    changes.push(...(block.added ? diffStretch(removed, text) : [...gone(removed), same(text)]));
    removed = "";
  }
  changes.push(...gone(removed));
  return changes;
}

function diffStretch(before: string, after: string): readonly Change[] {
  const isShort = before.length + after.length <= mostCharacters;
  const options = { intlSegmenter: words, maxEditLength: mostEdits };
  const changes = isShort && before !== "" ? diffWords(before, after, options) : undefined;
  if (changes === undefined) return [...gone(before), { kind: "added", text: after }];
  return changes.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function gone(text: string): readonly Change[] {
  return text === "" ? [] : [{ kind: "removed", text }];
}

function same(text: string): Change {
  return { kind: "same", text };
}
