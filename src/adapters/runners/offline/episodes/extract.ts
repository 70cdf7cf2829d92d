import type { KnownLanguage } from "../../../../domain/episodes/language.ts";
import { isStopWord, stem, subjectsOf, wordsOf } from "../words.ts";

const determiner =
  /^(?:an?|the|this|that|these|those|our|their|his|her|its|my|your|each|every|of|some|any|one|two|three|no)$/i;

/** What a text is about, most frequent first: words that keep returning where nouns are used. */
export function keyTerms(
  sentences: readonly string[],
  language: KnownLanguage,
  limit: number,
): readonly string[] {
  const terms = new Map<string, Term>();
  for (const sentence of sentences) {
    for (const clause of sentence.split(/[,;:.!?"“”„()–—]+/u)) countTerms(clause, language, terms);
  }
  return [...terms.values()]
    .filter(({ count, asNoun }) => count > 1 && asNoun * 2 >= count)
    .sort((left, right) => right.count - left.count || (left.text < right.text ? -1 : 1))
    .slice(0, limit)
    .map(({ text }) => text);
}

interface Term {
  readonly text: string;
  count: number;
  asNoun: number;
}

function countTerms(clause: string, language: KnownLanguage, terms: Map<string, Term>): void {
  const words = wordsOf(clause);
  for (const [index, word] of words.entries()) {
    if (!canBeTerm(word, language)) continue;
    const text = language === "en" ? word.toLowerCase() : word;
    const term = terms.get(stem(word, language)) ?? { text, count: 0, asNoun: 0 };
    const before = words.slice(Math.max(0, index - 2), index);
    const isNoun = language === "de" ? index > 0 : before.some((one) => determiner.test(one));
    term.count += 1;
    term.asNoun += isNoun ? 1 : 0;
    terms.set(stem(word, language), term);
  }
}

function canBeTerm(word: string, language: KnownLanguage): boolean {
  if (word.length < 4 || word.includes("'") || isStopWord(word, language)) return false;
  return language === "en" ? !/(ly|ing|ed)$/i.test(word) : /^\p{Lu}/u.test(word);
}

/**
 * The sentences that say most, in the order they are in. A sentence counts by how often its subjects return in
 * the whole text; one that leans on others or speaks of its speaker counts less.
 */
export function tellingSentences(
  sentences: readonly string[],
  language: KnownLanguage,
  limit: number,
): readonly string[] {
  const frequency = new Map<string, number>();
  for (const subject of sentences.flatMap((sentence) => subjectsOf(sentence, language))) {
    frequency.set(subject, (frequency.get(subject) ?? 0) + 1);
  }
  const ranked = sentences
    .map((sentence, position) => ({
      sentence,
      position,
      subjects: new Set(subjectsOf(sentence, language)),
      score: scoreOf(sentence, language, frequency),
    }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score || left.position - right.position);
  const kept: typeof ranked = [];
  for (const one of ranked) {
    if (kept.length === limit) break;
    if (kept.every((other) => overlap(one.subjects, other.subjects) < 0.4)) kept.push(one);
  }
  return kept.sort((left, right) => left.position - right.position).map((one) => one.sentence);
}

/** Signs that a sentence makes no sense by itself, each with what is left of its score. */
const weaknesses: { readonly [language in KnownLanguage]: readonly (readonly [RegExp, number])[] } =
  {
    en: [
      [
        /^(and|but|so|or|then|that|this|these|those|it|they|he|she|there|because|oh|well|yes|no|here|not|once|still|another|now|the (?:second|third|other|next|same))\b/i,
        0.3,
      ],
      [
        /\b(i|i'm|i've|me|my|we|we're|our|us|let's|thank|welcome|hello|podcast|listeners?|show notes)\b/i,
        0.3,
      ],
      [/\b(this|these|those|such|it|them|they)\b/i, 0.6],
      // Without one of these it may be a list or a fragment.
      [
        /^(?!.*\b(is|are|was|were|has|have|had|can|cannot|could|will|would|may|must|do|does|did|needs?|makes?|made|gives?|gave|takes?|took)\b)/is,
        0.5,
      ],
    ],
    de: [
      [
        /^(und|aber|also|oder|dann|das|dies\p{L}*|es|sie|er|da|dort|weil|ja|nein|doch|deshalb|hier|davon)\b/iu,
        0.3,
      ],
      [
        /\b(ich|mich|mir|mein\p{L}*|wir|uns|unser\p{L}*|danke|willkommen|hallo|podcast|hörer\p{L}*)\b/iu,
        0.3,
      ],
    ],
  };

function scoreOf(
  sentence: string,
  language: KnownLanguage,
  frequency: ReadonlyMap<string, number>,
): number {
  const length = wordsOf(sentence).length;
  const isWhole = /^["“„]?\p{Lu}.*[.!…]["”“]?$/su.test(sentence) && !/https?:|\?/.test(sentence);
  if (length < 7 || length > 38 || !isWhole) return 0;
  const subjects = [...new Set(subjectsOf(sentence, language))];
  const sum = subjects.reduce((total, one) => total + Math.log1p(frequency.get(one) ?? 0), 0);
  return weaknesses[language].reduce(
    (score, [sign, left]) => (sign.test(sentence) ? score * left : score),
    sum / Math.sqrt(length),
  );
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((subject) => right.has(subject)).length;
  return shared / Math.max(1, Math.min(left.size, right.size));
}
