import { stripVTControlCharacters } from "node:util";
import { defined } from "../../../domain/values/defined.ts";
import { type LanguageLines, OTHER_LANGUAGES } from "./other-languages.ts";
import { OTHER_KIND, PRODUCT_KINDS, type ProductKind } from "./product-kinds.ts";
import { GENERAL_THEME, THEMES, type Theme } from "./themes.ts";
import { type GrammaticalNumber, numberOf, singularOf, stemOf, tokensOf } from "./word-forms.ts";
import { BOUNDARIES, PEOPLE, STOP_WORDS } from "./words.ts";

export interface Product {
  /** One or two words as they stand inside a sentence, without an article. */
  readonly words: string;
  readonly number: GrammaticalNumber;
  /** A proper name, which takes no article. */
  readonly isName: boolean;
}

/** What the stand-ins understand of a brief. Everything in it is a plain word: nothing hostile survives. */
export interface BriefFacts {
  readonly product?: Product;
  readonly kind: ProductKind;
  readonly audience?: string;
  /** Best first, never empty. */
  readonly themes: readonly Theme[];
  /** Present when the brief is not in English. */
  readonly language?: LanguageLines;
  /** Stems one of which a text must have to be about this brief; empty if the brief names nothing. */
  readonly anchors: ReadonlySet<string>;
}

const NOUNS_IN_LY = new Set(["family", "jelly", "lily", "fly", "supply", "assembly", "belly"]);

const LONGEST_PRODUCT = 22;

export function readBrief(brief: string): BriefFacts {
  const text = stripVTControlCharacters(brief)
    .replace(/ship\s+it/giu, " ")
    .slice(0, 4000);
  const language = OTHER_LANGUAGES.find(({ signs }) => signs.test(text));
  const name = nameOf(text);
  const phrase = nounPhrase(name === undefined ? text : text.replace(name, " "));
  const product =
    name === undefined
      ? productOf(text, phrase, language)
      : { words: name, number: "singular" as const, isName: true };
  const audience = audienceOf(text);
  const anchors = product === undefined ? [] : [...phrase, ...tokensOf(product.words)];
  return {
    ...defined({ product, audience, language }),
    kind: kindOf(phrase.at(-1)),
    themes: themesOf(text),
    anchors: new Set(anchors.map((word) => stemOf(word.toLowerCase()))),
  };
}

/** The content words of the first stretch of the brief that names something. */
function nounPhrase(text: string): readonly string[] {
  for (const stretch of text.split(/[^\p{L}\p{N}\p{M}'’ -]+|\s[-–—]\s/u)) {
    const phrase = firstPhrase(stretch.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? []);
    if (phrase.length > 0) return phrase;
  }
  return [];
}

function firstPhrase(tokens: readonly string[]): readonly string[] {
  const phrase: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const word = token.toLowerCase();
    if (phrase.length > 0 && endsPhrase(word, tokens[index + 1]?.toLowerCase())) break;
    if (isContent(word)) phrase.push(token);
  }
  return phrase;
}

function endsPhrase(word: string, next: string | undefined): boolean {
  if (BOUNDARIES.has(word)) return true;
  const nothingNamedAfter = next === undefined || STOP_WORDS.has(next) || next.endsWith("ly");
  return word.endsWith("ed") && nothingNamedAfter;
}

function isContent(word: string): boolean {
  return (
    !STOP_WORDS.has(word) &&
    !BOUNDARIES.has(word) &&
    !(/ly$/.test(word) && !NOUNS_IN_LY.has(word)) &&
    !/^\p{N}+$/u.test(word) &&
    [...word].length > 1
  );
}

function productOf(
  text: string,
  phrase: readonly string[],
  language: LanguageLines | undefined,
): Product | undefined {
  const head = language?.headFirst === true ? phrase[0] : phrase.at(-1);
  if (head === undefined || head.length > LONGEST_PRODUCT) return undefined;
  if (language !== undefined) return { words: head, number: numberOf(head), isName: false };
  const shouted = text === text.toUpperCase();
  const words =
    [3, 2]
      .map((count) =>
        phrase
          .slice(-count)
          .map((word) => inSentence(word, shouted))
          .join(" "),
      )
      .find((some) => some.length <= LONGEST_PRODUCT) ?? inSentence(head, shouted);
  return { words, number: numberOf(head), isName: false };
}

/** Names are believed only where the brief says that they are names. */
function nameOf(text: string): string | undefined {
  const called = /\b(?:called|named)\s+["“'„]?(\p{Lu}[\p{L}\p{N}]{1,18}(?:\s\p{Lu}\p{L}{1,12})?)/u;
  const opening = /^\s*(\p{Lu}[\p{L}\p{N}]{1,18})(?:,|:|\s[-–—])\s+(?:an?|the|our)\s/u;
  const name = called.exec(text)?.[1] ?? opening.exec(text)?.[1];
  return name === undefined || STOP_WORDS.has(name.toLowerCase()) ? undefined : name;
}

/** Abbreviations and names with inner capitals keep them; the rest is an ordinary word. */
function inSentence(word: string, shouted: boolean): string {
  const special =
    !shouted && (/^\p{Lu}{2,4}(?:-\p{Lu})?$/u.test(word) || /\p{Ll}\p{Lu}/u.test(word));
  return special ? word : word.toLowerCase();
}

function audienceOf(text: string): string | undefined {
  const after = /\bfor\s+((?:[\p{L}'’-]+\s+)?[\p{L}'’-]+)/iu.exec(text)?.[1]?.toLowerCase();
  if (after === undefined) return undefined;
  const [first = "", second] = after.split(/\s+/);
  if (second !== undefined && PEOPLE.has(second) && isContent(first)) return `${first} ${second}`;
  return PEOPLE.has(first) ? first : undefined;
}

function kindOf(head: string | undefined): ProductKind {
  if (head === undefined) return OTHER_KIND;
  const word = head.toLowerCase();
  const forms = [word, singularOf(word)];
  const kindWhere = (fits: (ending: string, form: string) => boolean) =>
    PRODUCT_KINDS.find(({ endings }) =>
      endings.split(" ").some((ending) => forms.some((form) => fits(ending, form))),
    );
  return (
    kindWhere((ending, form) => form === ending) ??
    kindWhere((ending, form) => ending.length > 4 && form.endsWith(ending)) ??
    OTHER_KIND
  );
}

function themesOf(text: string): readonly Theme[] {
  const tokens = tokensOf(text);
  const hits = (theme: Theme) =>
    theme.keywords.split(" ").filter((keyword) => tokens.some((token) => matches(token, keyword)))
      .length;
  const found = THEMES.map((theme) => ({ theme, hits: hits(theme) }))
    .filter((one) => one.hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .map((one) => one.theme);
  return found.length === 0 ? [GENERAL_THEME] : found.slice(0, 2);
}

function matches(token: string, keyword: string): boolean {
  return keyword.endsWith("=") ? `${token}=` === keyword : token.startsWith(keyword);
}

/** The product with its number changed to one, for things that are used one at a time. */
export function oneOf(product: Product): string {
  const words = product.words.split(" ");
  const head = words.at(-1) ?? "";
  return [...words.slice(0, -1), singularOf(head)].join(" ");
}
