import { datesIn } from "./dates.ts";
import { foldedWords, foldText, wordOverlap } from "./folded-text.ts";
import {
  DIRECT_OPENINGS,
  FOLLOW_UP_WORDS,
  type Locale,
  MOJIBAKE_MARKS,
  REPORT_WORDS,
} from "./locale.ts";

export interface DuplicatePair {
  readonly first: string;
  readonly second: string;
  readonly kind: "duplicate" | "near_duplicate";
}

/** Asks for one fact: begins with a question word. */
export function isDirectQuestion(question: string, locale: Locale): boolean {
  const folded = foldText(question).replace(/^(?:and|und|а|и) /u, "");
  return DIRECT_OPENINGS[locale].some(
    (opening) => folded === opening || folded.startsWith(`${opening} `),
  );
}

export function isReportQuestion(question: string, locale: Locale): boolean {
  return foldText(question)
    .split(" ")
    .some((word) => REPORT_WORDS[locale].includes(word));
}

/** Its wording refers to an earlier answer. */
export function soundsLikeFollowUp(question: string, locale: Locale): boolean {
  const words = foldText(question).split(" ");
  return words.some((word) => FOLLOW_UP_WORDS[locale].includes(word));
}

/** Names an object, a period, an amount or a party: a capital inside, a number, a quotation, a date, a placeholder. */
export function hasBusinessAnchor(question: string): boolean {
  return (
    datesIn(question).length > 0 ||
    /\p{N}|["«“„'‘]|\{\{/u.test(question) ||
    /\s\p{Lu}\p{L}/u.test(question)
  );
}

export function looksLikeMojibake(text: string): boolean {
  return MOJIBAKE_MARKS.some((mark) => text.includes(mark));
}

/**
 * Equal when folded, or sharing most of their words. Each question is reported once, with the first one it repeats:
 * a pack of a thousand equal questions has a thousand problems, not half a million.
 */
export function findDuplicates(
  questions: readonly { readonly name: string; readonly text: string }[],
  nearOverlap: number,
): readonly DuplicatePair[] {
  const known = new Map<string, { readonly name: string; readonly words: ReadonlySet<string> }>();
  const pairs: DuplicatePair[] = [];
  for (const { name, text } of questions) {
    const folded = foldText(text);
    const equal = known.get(folded);
    if (equal !== undefined) {
      pairs.push({ first: equal.name, second: name, kind: "duplicate" });
      continue;
    }
    const words = foldedWords(text);
    const near = [...known.values()].find((one) => wordOverlap(one.words, words) >= nearOverlap);
    if (near !== undefined) pairs.push({ first: near.name, second: name, kind: "near_duplicate" });
    known.set(folded, { name, words });
  }
  return pairs;
}
