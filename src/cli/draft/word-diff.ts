import { diffWords } from "diff";
import { lazily } from "../../domain/values/lazily.ts";
import type { Span } from "../shell/lay-out.ts";
import type { Palette } from "../shell/palette.ts";
import { stripControl } from "../shell/strip-control.ts";

export type WordDiff =
  | { readonly kind: "same" }
  /** Too little of the old text is left for a useful diff. */
  | { readonly kind: "rewritten" }
  | { readonly kind: "changed"; readonly spans: readonly Span[] };

const words = lazily(() => new Intl.Segmenter(undefined, { granularity: "word" }));

/** Marks inside a word or a number, and non-ASCII text: only the segmenter finds the ends of such words. */
const needsSegmenter = /\w['.]\w|\d[,;]\d|[A-Za-z]:[A-Za-z]|\P{ASCII}/u;

/** Longer texts are not compared: a word diff would be unreadable, and hostile input would take too long. */
const longest = 60_000;
const mostEdits = 4_000;

/** Unchanged stretches longer than this are shortened to their ends, `context` characters each. */
const longStretch = 160;
const context = 60;

/** What changed between two drafts, word by word. A plain palette gets `[-old-]{+new+}`. */
export function diffDrafts(before: string, after: string, palette: Palette): WordDiff {
  const [old, fresh] = [stripControl(before), stripControl(after)];
  if (old === fresh) return { kind: "same" };
  if (old.length + fresh.length > longest) return { kind: "rewritten" };
  // Creating the first segmenter takes as long as a hundred diffs.
  const isHard = needsSegmenter.test(old) || needsSegmenter.test(fresh);
  const cutting = isHard ? { intlSegmenter: words() } : {};
  const changes = diffWords(old, fresh, { ...cutting, maxEditLength: mostEdits });
  if (changes === undefined) return { kind: "rewritten" };
  const kept = changes.filter(({ added, removed }) => !added && !removed);
  const keptLength = kept.reduce((sum, { value }) => sum + letters(value), 0);
  if (keptLength * 5 < letters(fresh)) return { kind: "rewritten" };
  return {
    kind: "changed",
    spans: changes.flatMap(({ value, added, removed }, at) => {
      if (added) return marked(value, "added", palette);
      if (removed) return marked(value, "removed", palette);
      return [{ text: shortened(value, at === 0, at === changes.length - 1) }];
    }),
  };
}

const signs = { added: ["{+", "+}"], removed: ["[-", "-]"] } as const;

/** White space at the ends stays outside the marks, where it cannot be struck through. */
function marked(value: string, style: "added" | "removed", palette: Palette): readonly Span[] {
  const text = value.trim();
  if (text === "") return style === "added" ? [{ text: value }] : [];
  const start = value.indexOf(text);
  const [open, close] = palette.isPlain ? signs[style] : ["", ""];
  return [
    { text: value.slice(0, start) },
    { text: `${open}${text}${close}`, style },
    { text: value.slice(start + text.length) || (style === "removed" ? " " : "") },
  ];
}

function shortened(value: string, isFirst: boolean, isLast: boolean): string {
  if (value.length <= longStretch) return value;
  const head = isFirst ? "" : value.slice(0, context).replace(/\S*$/u, "");
  const tail = isLast ? "" : value.slice(-context).replace(/^\S*/u, "");
  return `${head}…${tail}`;
}

function letters(text: string): number {
  return text.replace(/[^\p{Letter}\p{Number}]/gu, "").length;
}
