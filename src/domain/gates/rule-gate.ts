import { defined } from "../values/defined.ts";
import { sentencesOf } from "../values/sentences.ts";
import type { Settled } from "./decision.ts";
import type { NoteFinding } from "./findings.ts";
import { foldWhiteSpace, frontMatterValue, type NoteParts, type ProseBlock } from "./note-parts.ts";
import {
  type Hit,
  newWordsInDescription,
  titleWordsInBody,
  unexplainedAbbreviations,
  unlinkedFigures,
} from "./note-wording.ts";

export type RuleScope = "body" | "title" | "description";

export interface RuleFacts {
  readonly severity: "warn" | "fail";
  /** Said instead of the rule's own sentence. */
  readonly message?: string;
}

type PatternRule = {
  readonly kind: "pattern" | "required-pattern";
  readonly pattern: string;
  readonly in: RuleScope;
};

type LengthRule = {
  readonly kind: "max-words" | "min-words" | "max-characters";
  readonly limit: number;
  readonly in: RuleScope;
};

/** One deterministic check of a `kind: rule` gate. */
export type Rule = RuleFacts &
  (
    | { readonly kind: "words"; readonly words: readonly string[]; readonly in: RuleScope }
    | PatternRule
    | LengthRule
    | { readonly kind: "max-sentence-words" | "max-paragraph-words"; readonly limit: number }
    | { readonly kind: "max-heading-depth" | "max-headings"; readonly limit: number }
    | { readonly kind: "required-headings"; readonly headings: readonly string[] }
    | { readonly kind: "required-frontmatter"; readonly keys: readonly string[] }
    | { readonly kind: "unlinked-figures"; readonly limit: true }
    | { readonly kind: "unexplained-abbreviations"; readonly limit: number }
    | { readonly kind: "title-words-in-body"; readonly limit: number }
    | { readonly kind: "new-words-in-description"; readonly limit: number }
  );

/** Patterns come from users: the matcher given must run in linear time. */
export type MatchPattern = (
  pattern: string,
  text: string,
) => { readonly start: number; readonly end: number } | undefined;

export interface RuleVerdict {
  readonly decision: Settled;
  readonly findings: readonly NoteFinding[];
}

interface Passage {
  readonly text: string;
  readonly line?: number;
}

/** Same note, same rules, same verdict; no model and no separate partition. */
export function evaluateRules(
  rules: readonly Rule[],
  note: NoteParts,
  matches: MatchPattern,
): RuleVerdict {
  const findings = rules.flatMap((rule) =>
    evaluateRule(rule, note, matches).map(({ said, ...place }) => ({
      severity: rule.severity,
      message: rule.message ?? said,
      ...place,
    })),
  );
  return { decision: worstOf(findings), findings };
}

function worstOf(findings: readonly NoteFinding[]): Settled {
  if (findings.some(({ severity }) => severity === "fail")) return "fail";
  return findings.some(({ severity }) => severity === "warn") ? "warn" : "pass";
}

function evaluateRule(rule: Rule, note: NoteParts, matches: MatchPattern): readonly Hit[] {
  switch (rule.kind) {
    case "words":
      return passages(note, rule.in).flatMap((passage) => findWords(passage, rule.words));
    case "pattern":
      return passages(note, rule.in).flatMap((passage) =>
        findPattern(passage, rule.pattern, matches),
      );
    case "required-pattern":
      return passages(note, rule.in).some(({ text }) => matches(rule.pattern, text) !== undefined)
        ? []
        : [{ said: `The ${rule.in} has nothing that matches ${rule.pattern}.` }];
    case "max-words":
    case "min-words":
    case "max-characters":
      return checkLength(rule, passages(note, rule.in));
    case "max-sentence-words":
      return note.prose.flatMap((block) => longSentences(block, rule.limit));
    case "max-paragraph-words":
      return note.prose.flatMap((block) => tooLong("paragraph", block, rule.limit));
    case "max-heading-depth":
      return note.headings
        .filter(({ depth }) => depth > rule.limit)
        .map(({ text, line, depth }) => ({
          said: `Heading of level ${depth}; at most ${rule.limit} is allowed.`,
          quote: text,
          line,
        }));
    case "max-headings":
      return note.headings.length <= rule.limit
        ? []
        : [{ said: `${note.headings.length} headings; at most ${rule.limit} are allowed.` }];
    case "required-headings":
      return missingHeadings(note, rule.headings);
    case "required-frontmatter":
      return rule.keys
        .filter((key) => isBlank(frontMatterValue(note, key)))
        .map((key) => ({ said: `The front matter has no ${key}.` }));
    case "unlinked-figures":
      return unlinkedFigures(note);
    case "unexplained-abbreviations":
      return unexplainedAbbreviations(note, rule.limit);
    case "title-words-in-body":
      return titleWordsInBody(note, rule.limit);
    case "new-words-in-description":
      return newWordsInDescription(note, rule.limit);
  }
}

function passages(note: NoteParts, scope: RuleScope): readonly Passage[] {
  switch (scope) {
    case "title":
      return note.title === undefined ? [] : [{ text: note.title }];
    case "description":
      return note.description === undefined ? [] : [{ text: note.description }];
    case "body":
      return note.prose;
  }
}

/** Whole words, any case, in any script; a phrase may be wrapped over lines. */
function findWords(passage: Passage, words: readonly string[]): readonly Hit[] {
  const folded = ` ${foldForWords(passage.text)} `;
  return words.flatMap((word) =>
    folded.includes(` ${foldForWords(word)} `)
      ? [
          {
            said: `"${word}" is on the gate's list.`,
            quote: word,
            ...defined({ line: passage.line }),
          },
        ]
      : [],
  );
}

function foldForWords(text: string): string {
  return foldWhiteSpace(
    text
      .toLowerCase()
      .replace(/[‘’]/g, "'")
      .replace(/[^\p{L}\p{M}\p{N}_'-]+/gu, " "),
  );
}

function findPattern(passage: Passage, pattern: string, matches: MatchPattern): readonly Hit[] {
  const match = matches(pattern, passage.text);
  if (match === undefined) return [];
  const quote = passage.text.slice(match.start, match.end);
  return [
    {
      said: `Matches ${pattern}.`,
      ...(quote === "" ? {} : { quote }),
      ...defined({ line: passage.line }),
    },
  ];
}

function checkLength(rule: LengthRule, texts: readonly Passage[]): readonly Hit[] {
  const text = texts.map((passage) => passage.text).join(" ");
  const size = rule.kind === "max-characters" ? [...text].length : countWords(text);
  const unit = rule.kind === "max-characters" ? "characters" : "words";
  if (rule.kind === "min-words" && size < rule.limit)
    return [{ said: `The ${rule.in} has ${size} ${unit}; at least ${rule.limit} are needed.` }];
  if (rule.kind !== "min-words" && size > rule.limit)
    return [{ said: `The ${rule.in} has ${size} ${unit}; at most ${rule.limit} are allowed.` }];
  return [];
}

function longSentences(block: ProseBlock, limit: number): readonly Hit[] {
  return sentencesOf(block.text).flatMap((text) => tooLong("sentence", { ...block, text }, limit));
}

function tooLong(what: string, { text, line }: ProseBlock, limit: number): readonly Hit[] {
  const words = countWords(text);
  if (words <= limit) return [];
  const said = `A ${what} of ${words} words; at most ${limit} are allowed.`;
  return [{ said, quote: what === "paragraph" ? text.slice(0, 120) : text, line }];
}

function missingHeadings(note: NoteParts, wanted: readonly string[]): readonly Hit[] {
  const present = new Set(note.headings.map(({ text }) => foldWhiteSpace(text).toLowerCase()));
  return wanted
    .filter((heading) => !present.has(foldWhiteSpace(heading).toLowerCase()))
    .map((heading) => ({ said: `The heading "${heading}" is missing.` }));
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu)?.length ?? 0;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}
