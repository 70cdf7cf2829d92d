import { MASS_NOUNS } from "./words.ts";

export type GrammaticalNumber = "singular" | "plural" | "mass";

const IRREGULAR_PLURALS = new Set(["children", "people", "men", "women", "feet", "mice", "teeth"]);

/** The words of a text, in order, lower case, without punctuation. */
export function tokensOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).map((token) =>
    token.replace(/’/g, "'"),
  );
}

const SUFFIXES = ["ies", "ing", "ied", "es", "ed", "s", "e", "y"];

/** A form under which "bottle", "bottles" and "bottled" meet. */
export function stemOf(word: string): string {
  const bare = word.replace(/'s$/, "");
  const suffix = SUFFIXES.find((end) => bare.endsWith(end) && bare.length - end.length >= 3) ?? "";
  return bare.slice(0, bare.length - suffix.length);
}

export function numberOf(noun: string): GrammaticalNumber {
  const word = noun.toLowerCase();
  if (MASS_NOUNS.has(word) || isActivity(word)) return "mass";
  if (IRREGULAR_PLURALS.has(word)) return "plural";
  return /[^siu]s$/.test(word) ? "plural" : "singular";
}

/** "walking" is done, not counted; "building" and its like are things. */
function isActivity(word: string): boolean {
  return /\p{L}{3,}ing$/u.test(word) && !/(?:build|paint|wedd|earr|str|draw|spr)ing$/.test(word);
}

export function singularOf(noun: string): string {
  if (/[^aeiou]ies$/.test(noun)) return noun.replace(/ies$/, "y");
  if (/(?:ch|sh|x|ss)es$/.test(noun)) return noun.replace(/es$/, "");
  return noun.replace(/(?<=[^siu])s$/, "");
}

/** "spare the sea" → "spares the sea": the verb comes first. */
export function thirdPerson(act: string): string {
  const [verb = "", ...rest] = act.split(" ");
  return [inflected(verb), ...rest].join(" ");
}

function inflected(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return verb.replace(/y$/, "ies");
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

export function capitalised(text: string): string {
  const [first = "", ...rest] = [...text];
  return first.toUpperCase() + rest.join("");
}

export function lengthOf(text: string): number {
  return [...text].length;
}
