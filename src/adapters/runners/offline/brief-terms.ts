import { stripVTControlCharacters } from "node:util";
import { stemOf, tokensOf } from "./word-forms.ts";
import { STOP_WORDS, VAGUE_WORDS } from "./words.ts";

/** The words a brief turns on, most frequent first, then in order of appearance. */
export function keyTerms(brief: string): readonly string[] {
  const counted = new Map<string, { readonly word: string; readonly count: number }>();
  for (const word of tokensOf(plainBrief(brief))) {
    if (!isTerm(word)) continue;
    const known = counted.get(stemOf(word));
    counted.set(stemOf(word), { word: known?.word ?? word, count: (known?.count ?? 0) + 1 });
  }
  return [...counted.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, 6)
    .map(({ word }) => word);
}

/** Sentences of the brief that can stand in a text as they are. */
export function briefSentences(brief: string): readonly string[] {
  const plain = plainBrief(brief).split(/(?<=[.!?])\s+|\n+/u);
  const sentences = plain
    .map((part) => part.replace(/^[\s#>*•\d.:)-]+/u, "").trim())
    .filter((part) => tokensOf(part).length >= 4 && part.length <= 220 && !/[{}<>|\\]/.test(part))
    .map((part) => (/[.!?…]$/u.test(part) ? part : `${part}.`));
  return [...new Set(sentences)];
}

function plainBrief(brief: string): string {
  return stripVTControlCharacters(brief)
    .replace(/ship\s+it/giu, " ")
    .slice(0, 20_000);
}

function isTerm(word: string): boolean {
  return word.length >= 4 && word.length <= 24 && !STOP_WORDS.has(word) && !VAGUE_WORDS.has(word);
}
