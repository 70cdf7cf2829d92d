import { stripVTControlCharacters } from "node:util";
import { defined } from "../../../../domain/values/defined.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import {
  briefWords,
  isStopWord,
  mostFrequent,
  stem,
  tokensOf,
  vagueWords,
  wordsOf,
} from "../words.ts";
import { type Theme, themeOf } from "./themes.ts";

/** What the stand-ins understand of a brief. Everything in it is a plain word: nothing hostile survives. */
export interface BriefFacts {
  /** A name, or up to three words as they are written inside a sentence, without an article. */
  readonly product?: string;
  /** Commands with the product in them. */
  readonly uses: readonly string[];
  readonly theme: Theme;
  /** Stems one of which a text must have to be about this brief; empty if the brief names nothing. */
  readonly anchors: ReadonlySet<string>;
}

/** Words after which a brief stops naming the product and starts to explain it. */
const boundaries = new Set(
  "for that which who over through via inside near against with without to in from by at on and or of where when while so because as into about made is are was will can reminds sells keeps für mit aus pour avec для".split(
    " ",
  ),
);

const longestProduct = 22;

export function readBrief(brief: string): BriefFacts {
  const text = plainBrief(brief);
  const name = nameOf(text);
  const phrase = nounPhrase(name === undefined ? text : text.replace(name, " "));
  const product = name ?? shortened(phrase, text === text.toUpperCase());
  const anchors = product === undefined ? [] : [...phrase, ...tokensOf(product)];
  const object = name ?? (product === undefined ? "it" : `the ${product}`);
  return {
    ...defined({ product }),
    uses: ["Try", "Choose", "Count on"].map((verb) => `${verb} ${object}`),
    theme: themeOf(tokensOf(text)),
    anchors: new Set(anchors.map((word) => stem(word))),
  };
}

function plainBrief(brief: string): string {
  return stripVTControlCharacters(brief)
    .replace(/ship\s+it/giu, " ")
    .slice(0, 20_000);
}

/** Names are believed only where the brief says that they are names. */
function nameOf(text: string): string | undefined {
  const called = /\b(?:called|named)\s+["“'„]?(\p{Lu}[\p{L}\p{N}]{1,18})/u.exec(text)?.[1];
  const opening = /^\s*(\p{Lu}[\p{L}\p{N}]{1,18})(?:,|:|\s[-–—])\s+(?:an?|the|our)\s/u.exec(text);
  const name = called ?? opening?.[1];
  return name === undefined || isStopWord(name) ? undefined : name;
}

/** The content words of the first stretch of the brief that names something. */
function nounPhrase(text: string): readonly string[] {
  for (const stretch of text.split(/[^\p{L}\p{N}\p{M}'’ -]+|\s[-–—]\s/u)) {
    const phrase: string[] = [];
    for (const word of wordsOf(stretch)) {
      if (phrase.length > 0 && boundaries.has(word.toLowerCase())) break;
      if (isContent(word.toLowerCase())) phrase.push(word);
    }
    if (phrase.length > 0) return phrase;
  }
  return [];
}

function isContent(word: string): boolean {
  const says = !isStopWord(word) && !briefWords.includes(word) && !boundaries.has(word);
  return says && word.length > 1 && !/^\p{N}+$|[^mi]ly$/u.test(word);
}

/** Abbreviations and names with inner capitals keep them; the rest is an ordinary word. */
function shortened(phrase: readonly string[], shouted: boolean): string | undefined {
  const written = phrase.map((word) =>
    !shouted && /^\p{Lu}{2,4}(?:-\p{Lu})?$|\p{Ll}\p{Lu}/u.test(word) ? word : word.toLowerCase(),
  );
  return [3, 2, 1]
    .map((count) => written.slice(-count).join(" "))
    .find((words) => words !== "" && words.length <= longestProduct);
}

/** The words a brief turns on, most frequent first, then in order of appearance. Names keep their capital. */
export function briefTerms(brief: string): readonly string[] {
  const words = wordsOf(plainBrief(brief)).map((word) =>
    /^\p{Lu}\p{Ll}/u.test(word) ? word : word.toLowerCase(),
  );
  const isTerm = (word: string) =>
    word.length >= 4 && word.length <= 24 && isContent(word) && !vagueWords.includes(word);
  return mostFrequent(words.filter((word) => isTerm(word.toLowerCase()))).slice(0, 6);
}

/** Sentences of the brief that a text can quote as they are. */
export function briefSentences(brief: string): readonly string[] {
  const sentences = plainBrief(brief)
    .split("\n")
    .flatMap((line) => sentencesOf(line.replace(/^[\s#>*•\d.:)-]+/u, "")))
    .filter((part) => tokensOf(part).length >= 4 && part.length <= 220 && !/[{}<>|\\]/.test(part))
    .map((part) => (/[.!?…]$/u.test(part) ? part : `${part}.`));
  return [...new Set(sentences)];
}
