import { diffArrays, diffWords } from "diff";

export interface Change {
  readonly kind: "added" | "removed" | "same";
  readonly text: string;
  readonly at: number;
}

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Hostile texts would take for ever; beyond this many edits a stretch counts as rewritten. */
const mostEdits = 4_000;
/** Word by word, longer stretches take longer than a person waits. */
const mostCharacters = 60_000;

/** What changed between two texts: paragraphs first, then the words of those that changed. Empty when nothing did. */
export function diffTexts(before: string, after: string): readonly Change[] {
  if (before === after) return [];
  const blocks = diffArrays(paragraphsOf(before), paragraphsOf(after), {
    maxEditLength: mostEdits,
  }) ?? [
    { value: [before], removed: true },
    { value: [after], added: true },
  ];
  const changes: Omit<Change, "at">[] = [];
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
  return changes.map((change, at) => ({ ...change, at }));
}

/** The changes by paragraph, so that each can be laid out by itself. */
export function blocksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const blocks: Change[][] = [[]];
  for (const { kind, text } of changes) {
    for (const piece of text.split(/(?<=\n\s*\n)(?=\S)/u)) {
      const block = blocks.at(-1) ?? [];
      block.push({ kind, text: piece, at: block.length });
      if (/\n\s*\n$/u.test(piece)) blocks.push([]);
    }
  }
  return blocks.filter((block) => block.length > 0);
}

function diffStretch(before: string, after: string): readonly Omit<Change, "at">[] {
  const isShort = before.length + after.length <= mostCharacters;
  const options = { intlSegmenter: words, maxEditLength: mostEdits };
  const changes = isShort && before !== "" ? diffWords(before, after, options) : undefined;
  if (changes === undefined) return [...gone(before), { kind: "added", text: after }];
  return changes.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function paragraphsOf(text: string): string[] {
  return text.split(/(?<=\n\s*\n)(?=\S)/u);
}

function gone(text: string): readonly Omit<Change, "at">[] {
  return text === "" ? [] : [{ kind: "removed", text }];
}

function same(text: string): Omit<Change, "at"> {
  return { kind: "same", text };
}
