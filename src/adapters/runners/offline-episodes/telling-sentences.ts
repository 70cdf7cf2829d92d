import type { KnownLanguage } from "../../../domain/episodes/language.ts";
import { subjectsOf, wordsOf } from "./words.ts";

/**
 * The sentences that say most, in the order they stand. A sentence counts by how often its subjects return in
 * the whole text; one that leans on what was said before it, speaks of its speaker or asks, counts less.
 */
export function tellingSentences(
  sentences: readonly string[],
  language: KnownLanguage,
  limit: number,
): readonly string[] {
  const frequency = frequencies(sentences, language);
  const scored = sentences
    .map((sentence, position) => ({
      sentence,
      position,
      subjects: new Set(subjectsOf(sentence, language)),
      score: scoreOf(sentence, language, frequency) * (position < sentences.length / 10 ? 1.1 : 1),
    }))
    .filter((one) => one.score > 0)
    .sort((left, right) => right.score - left.score || left.position - right.position);
  const kept: typeof scored = [];
  for (const one of scored) {
    if (kept.length === limit) break;
    if (kept.every((other) => overlap(one.subjects, other.subjects) < 0.4)) kept.push(one);
  }
  return kept.sort((left, right) => left.position - right.position).map((one) => one.sentence);
}

const leaning = {
  en: /^(and|but|so|or|then|that|this|these|those|it|they|he|she|them|there|because|oh|well|yes|no|exactly|partly|both|which|in the end|here|not|we|once|last|still|ten|their|her|his|its|one and|another|now|for the|the (?:\w+est|second|third|other|next|rest|same|former|latter)|if \w+ (?:cannot|can't|don't|do not))\b/i,
  de: /^(und|aber|also|oder|dann|das|dies|diese|dieser|es|sie|er|da|dort|weil|ja|nein|genau|doch|deshalb|damit|dafür|hier|wir|davon|dabei)\b/i,
} as const;
const personal = {
  en: /\b(i|i'm|i've|i'd|me|my|we|we're|our|us|let's|thank|welcome|hello)\b/i,
  de: /\b(ich|mich|mir|mein\p{L}*|wir|uns|unser\p{L}*|danke|willkommen|hallo)\b/iu,
} as const;

/** A sentence with one of these is whole; without, it may be a list or a fragment. */
const finite = {
  en: /\b(is|are|was|were|has|have|had|can|cannot|could|will|would|may|must|should|do|does|did|needs?|makes?|made|gives?|gave|means?|changed|takes?|took|wrote|starts?|started)\b/i,
  de: /\b(ist|sind|war|waren|hat|haben|hatte|hatten|kann|können|konnte|wird|werden|wurde|wurden|muss|müssen|soll|gibt|braucht|macht|geht|kommt|steht|heißt)\b/iu,
} as const;
/** Points at something that only the sentences around it name. */
const pointing = {
  en: /\b(this|these|those|such|it|them|they)\b/i,
  de: /\b(dies\p{L}*|jene\p{L}*|solche\p{L}*)\b/iu,
} as const;
const housekeeping =
  /\b(shownotes?|show notes|subscribe|podcast|listeners?|newsletter|abonnier\p{L}*|hörer\p{L}*)\b/iu;

function scoreOf(
  sentence: string,
  language: KnownLanguage,
  frequency: ReadonlyMap<string, number>,
): number {
  const length = wordsOf(sentence).length;
  if (length < 7 || length > 38 || !/^["“„]?\p{Lu}/u.test(sentence)) return 0;
  if (!/[.!…]["”“]?$/u.test(sentence) || /https?:|\?/.test(sentence)) return 0;
  const subjects = new Set(subjectsOf(sentence, language));
  let sum = 0;
  for (const subject of subjects) sum += Math.log1p(frequency.get(subject) ?? 0);
  const penalty =
    (leaning[language].test(sentence) ? 0.35 : 1) *
    (personal[language].test(sentence) ? 0.3 : 1) *
    (pointing[language].test(sentence) ? 0.6 : 1) *
    (finite[language].test(sentence) ? 1 : 0.5) *
    (housekeeping.test(sentence) ? 0.2 : 1);
  return (penalty * sum) / Math.sqrt(length);
}

function frequencies(
  sentences: readonly string[],
  language: KnownLanguage,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) {
    for (const subject of subjectsOf(sentence, language)) {
      counts.set(subject, (counts.get(subject) ?? 0) + 1);
    }
  }
  return counts;
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const smaller = Math.min(left.size, right.size);
  if (smaller === 0) return 0;
  let shared = 0;
  for (const subject of left) if (right.has(subject)) shared += 1;
  return shared / smaller;
}
