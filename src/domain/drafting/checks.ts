import { countCodePoints } from "../values/count-code-points.ts";
import { counted } from "../values/counted.ts";
import { defined } from "../values/defined.ts";
import { escapePattern } from "../values/escape-pattern.ts";
import { linesOf } from "../values/lines.ts";
import { sentencesOf } from "../values/sentences.ts";
import { bulletItem, commaItems, listItems, repeatedItems } from "./list-items.ts";
import type { Check, Recipe } from "./recipe.ts";
import type { RaisedIssue } from "./review.ts";

/** What checks need from outside: a linear-time engine for the patterns that recipes bring. */
export interface CheckTools {
  readonly matches: (pattern: string, text: string) => boolean;
}

/** One objection of a check to a text. */
interface Fault {
  readonly message: string;
  readonly quote?: string;
}

/** The recipe's checks with its limit as the last of them, unless one of them is at least as strict. */
export function checksOf({
  checks,
  maxCharacters: characters,
}: Pick<Recipe, "checks" | "maxCharacters">): readonly Check[] {
  const isCovered = checks.some(
    (check) =>
      check.kind === "max_length" && check.severity === "error" && check.characters <= characters,
  );
  return isCovered ? checks : [...checks, { kind: "max_length", characters, severity: "error" }];
}

/**
 * The recipe's own objections to a text. The code is the kind of the check. White space around the text never
 * counts; lengths are counted in code points.
 */
export function runChecks(
  checks: readonly Check[],
  text: string,
  tools: CheckTools,
): readonly RaisedIssue[] {
  const content = text.trim();
  return checks.flatMap((check) =>
    faultsOf(check, content, tools).map((fault) => ({
      severity: check.severity,
      code: check.kind,
      field: "content",
      ...fault,
    })),
  );
}

function faultsOf(check: Check, text: string, tools: CheckTools): readonly Fault[] {
  switch (check.kind) {
    case "max_length":
      return wrongLength(text, { max: check.characters });
    case "min_length":
      return wrongLength(text, { min: check.characters });
    case "one_line":
      return severalLines(text);
    case "sentences":
      return wrongSentenceCount(text, check);
    case "pattern":
      return tools.matches(check.pattern, text) ? [] : [{ message: check.message }];
    case "banned_words":
      return bannedWords(text, check.words);
    case "required_section":
      return missingSection(text, check.heading);
    case "required_text":
      return text.includes(check.text)
        ? []
        : [{ message: `The text must contain "${check.text}".` }];
    case "hashtags":
      return tooFewHashtags(text, check.min);
    case "bullet_list":
      return notABulletList(text);
    case "comma_list":
      return notACommaList(text);
    case "unique_items":
      return repeatedItems(listItems(text)).map((item) => ({
        message: `"${item}" is in the list more than once.`,
        quote: item,
      }));
    case "opening_chapter":
      return /^[ \t]*(?:[-*][ \t]+)?(?:0{1,2}:)?0{1,2}:00[ \t]+\S/mu.test(text)
        ? []
        : [{ message: "No line begins with the chapter 00:00 and its title." }];
  }
}

function wrongLength(text: string, limit: { readonly min?: number; readonly max?: number }) {
  const length = countCodePoints(text);
  const { min = 0, max = length } = limit;
  if (length >= min && length <= max) return [];
  const allowed = length < min ? `needs at least ${min}` : `may have at most ${max}`;
  return [{ message: `The text is ${counted(length, "character")} long and ${allowed}.` }];
}

function severalLines(text: string): readonly Fault[] {
  const lines = linesOf(text).length;
  return lines <= 1 ? [] : [{ message: `The text has ${lines} lines and must be a single one.` }];
}

function wrongSentenceCount(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): readonly Fault[] {
  const count = sentencesOf(text).length;
  if (count >= min && count <= max) return [];
  const wanted = min === max ? `exactly ${min}` : `${min} to ${max}`;
  return [{ message: `The text has ${counted(count, "sentence")} and must have ${wanted}.` }];
}

function bannedWords(text: string, words: readonly string[]): readonly Fault[] {
  return words.flatMap((word) => {
    const quote = findWord(text, word);
    return quote === undefined ? [] : [{ message: `"${word}" must not be used.`, quote }];
  });
}

/**
 * Finds it as a whole word. Literal words only, so the pattern cannot run away. Its edges need Unicode tables, which
 * are expensive to build, so they are only used for a text that contains the letters.
 */
function findWord(text: string, word: string): string | undefined {
  const literal = word.trim().split(/\s+/u).map(escapePattern).join("\\s+");
  if (literal === "" || !new RegExp(literal, "iu").test(text)) return undefined;
  const edge = "[\\p{L}\\p{M}\\p{N}_]";
  return new RegExp(`(?<!${edge})${literal}(?!${edge})`, "iu").exec(text)?.[0];
}

/** A heading with its `#` marks asks for exactly that level, one without for any. */
function missingSection(text: string, heading: string): readonly Fault[] {
  const wanted = headingOf(heading) ?? { level: undefined, title: heading.trim() };
  const found = headingsOf(text).some(
    ({ level, title }) =>
      title.toLowerCase() === wanted.title.toLowerCase() &&
      (wanted.level === undefined || wanted.level === level),
  );
  return found ? [] : [{ message: `The section "${heading}" is missing.` }];
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** Headings inside fenced code are code. */
function headingsOf(text: string): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const line of linesOf(text)) {
    const mark = /^ {0,3}(```|~~~)/u.exec(line)?.[1];
    const heading = fence === undefined ? headingOf(line) : undefined;
    if (heading !== undefined) headings.push(heading);
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
    }
  }
  return headings;
}

function headingOf(line: string): Heading | undefined {
  const [, marks, rest] = /^ {0,3}(#{1,6})[ \t](.*)$/u.exec(line) ?? [];
  if (marks === undefined || rest === undefined) return undefined;
  const words = rest.trim().split(/[ \t]+/u);
  if (/^#+$/u.test(words.at(-1) ?? "")) words.pop();
  return { level: marks.length, title: words.join(" ") };
}

function tooFewHashtags(text: string, min: number): readonly Fault[] {
  const hashtag = /(?<![\p{L}\p{M}\p{N}_&/#])#(?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;
  const count = new Set(text.match(hashtag)?.map((tag) => tag.toLowerCase())).size;
  if (count >= min) return [];
  return [
    { message: `The text has ${counted(count, "different hashtag")} and needs at least ${min}.` },
  ];
}

function notABulletList(text: string): readonly Fault[] {
  const stray = linesOf(text).find((line) => line.trim() !== "" && bulletItem(line) === undefined);
  if (stray === undefined && text !== "") return [];
  return [
    {
      message: "Every line must be an item of a bullet list, beginning with a hyphen.",
      ...defined({ quote: stray?.trim() }),
    },
  ];
}

function notACommaList(text: string): readonly Fault[] {
  const several = severalLines(text);
  if (several.length > 0) return several;
  const items = commaItems(text);
  const empty = items.filter((item) => item === "").length;
  if (empty > 0)
    return [
      { message: `${counted(empty, "empty item")} among the ${items.length} between commas.` },
    ];
  return bulletItem(text) === undefined
    ? []
    : [{ message: "The text must be items with commas between them, not a bullet list." }];
}
