import type { KnownLanguage } from "../../../domain/episodes/language.ts";
import { isStopWord, stem, wordsOf } from "./words.ts";

interface Term {
  /** In lower case as soon as it was seen so: a capital may be a title's or a sentence's. */
  text: string;
  readonly stems: readonly string[];
  count: number;
  nounLike: number;
}

/**
 * What a text is about, most telling first: words that keep returning where nouns stand, and pairs of words
 * that keep returning together.
 */
export function keyTerms(
  sentences: readonly string[],
  language: KnownLanguage,
  limit: number,
): readonly string[] {
  const terms = new Map<string, Term>();
  for (const sentence of sentences) {
    for (const clause of sentence.split(/[,;:.!?"“”„()–—]+/u)) countTerms(clause, language, terms);
  }
  const ranked = [...terms.values()]
    .filter((term) => term.count > 1 && term.nounLike * 2 >= term.count)
    .sort((left, right) => weight(right) - weight(left) || (left.text < right.text ? -1 : 1));
  return distinct(ranked).slice(0, limit);
}

const beforeNouns = {
  en: new Set(
    "a an the this that these those our their his her its my your each every of some any one two three no".split(
      " ",
    ),
  ),
  de: new Set<string>(),
};

function countTerms(clause: string, language: KnownLanguage, terms: Map<string, Term>): void {
  const words = wordsOf(clause);
  for (const [index, word] of words.entries()) {
    if (!canBeTerm(word, language)) continue;
    const nounLike = isNounLike(words, index, language);
    const own = index === 0 && language === "en" ? word.toLowerCase() : word;
    count(terms, [own], nounLike, language);
    const next = words[index + 1];
    if (next !== undefined && canBeTerm(next, language)) {
      count(terms, [own, next], nounLike, language);
    }
  }
}

function canBeTerm(word: string, language: KnownLanguage): boolean {
  if (word.length < 4 || word.includes("'") || isStopWord(word, language)) return false;
  return language === "en"
    ? !/(ly|ing|ed)$/.test(word.toLowerCase())
    : /^\p{Lu}/u.test(word) || /^\p{Ll}+e[nrsm]?$/u.test(word);
}

function isNounLike(words: readonly string[], index: number, language: KnownLanguage): boolean {
  if (language === "de") return index > 0 && /^\p{Lu}/u.test(words[index] ?? "");
  const before = (words[index - 1] ?? "").toLowerCase();
  const twoBefore = (words[index - 2] ?? "").toLowerCase();
  return beforeNouns.en.has(before) || (beforeNouns.en.has(twoBefore) && index > 1);
}

function count(
  terms: Map<string, Term>,
  words: readonly string[],
  nounLike: boolean,
  language: KnownLanguage,
): void {
  const stems = words.map((word) => stem(word, language));
  const key = stems.join(" ");
  const term = terms.get(key) ?? { text: words.join(" "), stems, count: 0, nounLike: 0 };
  const spelled = words.join(" ");
  if (spelled === spelled.toLowerCase()) term.text = spelled;
  term.count += 1;
  if (nounLike) term.nounLike += 1;
  terms.set(key, term);
}

function weight(term: Term): number {
  return term.count * (1 + 0.9 * (term.stems.length - 1));
}

/** A single word that is part of a better pair says nothing new. */
function distinct(ranked: readonly Term[]): readonly string[] {
  const taken = new Set<string>();
  const kept: string[] = [];
  for (const term of ranked) {
    if (term.stems.some((part) => taken.has(part))) continue;
    for (const part of term.stems) taken.add(part);
    kept.push(term.text);
  }
  return kept;
}
