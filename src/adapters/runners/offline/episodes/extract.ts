import type { KnownLanguage } from "../../../../domain/episodes/language.ts";
import { isStopWord, mostFrequent, stem, subjectsOf, wordsOf } from "../words.ts";

const determiner =
  /^(?:an?|the|this|that|these|those|our|their|his|her|its|my|your|each|every|of|some|any|one|two|three|no)$/i;

/** What a text is about, most frequent first: words that keep returning where nouns are used. */
export function keyTerms(
  sentences: readonly string[],
  language: KnownLanguage,
  limit: number,
): readonly string[] {
  const clauses = sentences.flatMap((sentence) => sentence.split(/[,;:.!?"“”„()–—]+/u));
  const nouns = new Set(
    clauses.flatMap((clause) => nounsOf(clause, language)).map((noun) => stem(noun, language)),
  );
  const words = clauses
    .flatMap(wordsOf)
    .filter((word) => canBeTerm(word, language) && nouns.has(stem(word, language)))
    .map((word) => (language === "en" ? word.toLowerCase() : word));
  return mostFrequent(words, language).slice(0, limit);
}

function canBeTerm(word: string, language: KnownLanguage): boolean {
  return word.length >= 4 && !word.includes("'") && !isStopWord(word, language);
}

/** German writes nouns with a capital; in English they follow a determiner, with a word between at most. */
function nounsOf(clause: string, language: KnownLanguage): readonly string[] {
  const words = wordsOf(clause);
  if (language === "de") return words.filter((word, at) => at > 0 && /^\p{Lu}/u.test(word));
  return words.filter((word, at) => {
    const before = words.slice(Math.max(0, at - 2), at);
    return !/(ly|ing|ed)$/i.test(word) && before.some((one) => determiner.test(one));
  });
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

/** Signs that a sentence makes no sense by itself, or speaks of its speaker. */
const weaknesses: { readonly [language in KnownLanguage]: readonly RegExp[] } = {
  en: [
    /^(and|but|so|or|then|that|this|these|those|it|they|he|she|there|because|oh|well|yes|no|here|not|once|still|another|now|the (?:second|third|other|next|same))\b/i,
    /\b(i|i'm|i've|me|my|we|we're|our|us|let's|thank|welcome|hello|podcast|listeners?|show notes)\b/i,
    /\b(this|these|those|such|it|them|they)\b/i,
    // Without one of these it may be a list or a fragment.
    /^(?!.*\b(is|are|was|were|has|have|had|can|cannot|could|will|would|may|must|do|does|did|needs?|makes?|made|gives?|gave|takes?|took)\b)/is,
  ],
  de: [
    /^(und|aber|also|oder|dann|das|dies\p{L}*|es|sie|er|da|dort|weil|ja|nein|doch|deshalb|hier|davon)\b/iu,
    /\b(ich|mich|mir|mein\p{L}*|wir|uns|unser\p{L}*|danke|willkommen|hallo|podcast|hörer\p{L}*)\b/iu,
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
  const weak = weaknesses[language].filter((sign) => sign.test(sentence)).length;
  return (sum / Math.sqrt(length)) * 0.4 ** weak;
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((subject) => right.has(subject)).length;
  return shared / Math.max(1, Math.min(left.size, right.size));
}
