import { stripVTControlCharacters } from "node:util";
import { stemOf, thirdPerson, tokensOf } from "./word-forms.ts";
import { COMMON_VERBS, STOP_WORDS, VAGUE_WORDS } from "./words.ts";

const VERB_FORMS: ReadonlySet<string> = new Set(
  [...COMMON_VERBS].flatMap((verb) => [verb, thirdPerson(verb)]),
);

/** The words a brief turns on, most frequent first, then in order of appearance. Names keep their capital. */
export function keyTerms(brief: string): readonly string[] {
  const counted = new Map<string, { readonly word: string; readonly count: number }>();
  for (const written of plainBrief(brief).match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []) {
    const word = written.toLowerCase();
    if (!isTerm(word)) continue;
    const known = counted.get(stemOf(word));
    const isName = (known === undefined || known.word !== word) && /^\p{Lu}\p{Ll}/u.test(written);
    const kept = isName ? written : word;
    counted.set(stemOf(word), { word: kept, count: (known?.count ?? 0) + 1 });
  }
  const terms = [...counted.values()].sort((a, b) => b.count - a.count).map(({ word }) => word);
  const named = terms.filter((term) => !VERB_FORMS.has(term.toLowerCase()));
  return (named.length === 0 ? terms : named).slice(0, 6);
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
