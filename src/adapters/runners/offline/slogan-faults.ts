import type { RaisedIssue } from "../../../domain/drafting/review.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { BriefFacts } from "./brief-facts.ts";
import { OTHER_LANGUAGES } from "./other-languages.ts";
import { PRODUCT_KINDS } from "./product-kinds.ts";
import { GENERAL_THEME, THEMES } from "./themes.ts";
import { lengthOf, stemOf, thirdPerson, tokensOf } from "./word-forms.ts";
import { CLICHES, COMMON_VERBS, FILLERS, STOP_WORDS, VAGUE_WORDS } from "./words.ts";

/** A fault of a slogan, with the words it is about where there are any. */
export interface Fault extends RaisedIssue {
  readonly code: string;
}

const LONGEST_SLOGAN = 60;

interface Judged {
  readonly text: string;
  readonly lower: string;
  readonly tokens: readonly string[];
  readonly facts: BriefFacts;
  readonly brief: string;
}

type Rule = (judged: Judged) => readonly Fault[];

/** Everything the critic holds against a slogan, gravest first. No fault means that it may go out. */
export function sloganFaults(text: string, facts: BriefFacts, brief: string): readonly Fault[] {
  const judged = { text, lower: text.toLowerCase(), tokens: tokensOf(text), facts, brief };
  // A flood of text has one fault worth naming, and the other rules are not made for its size.
  if (text.length > 2000) return tooLong(judged);
  return RULES.flatMap((rule) => rule(judged));
}

const RULES: readonly Rule[] = [
  unfinished,
  offBrief,
  echo,
  tooLong,
  cliche,
  vague,
  noBenefit,
  noVerb,
  passive,
  repetition,
  loud,
  wordy,
  rhythm,
  article,
];

const ACTS = [GENERAL_THEME, ...THEMES].flatMap((theme) => theme.acts);

const VERBS: ReadonlySet<string> = new Set([
  ...COMMON_VERBS,
  ...ACTS.map((act) => act.split(" ")[0] ?? ""),
  ...ACTS.map((act) => thirdPerson(act).split(" ")[0] ?? ""),
  ...PRODUCT_KINDS.flatMap((kind) => kind.uses.map((use) => use.toLowerCase().split(" ")[0] ?? "")),
]);

const VERB_STEMS: ReadonlySet<string> = new Set([...VERBS].map(stemOf));

const BENEFITS: ReadonlySet<string> = new Set(
  [
    ...ACTS.map((act) => act.split(" ").slice(1).join(" ")),
    ...[GENERAL_THEME, ...THEMES].flatMap((theme) => [...theme.losses, ...theme.gains, theme.gift]),
    ...OTHER_LANGUAGES.map((language) => language.benefits),
    "outlast lifetime lighter quiet warm",
  ]
    .flatMap(tokensOf)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemOf),
);

function unfinished({ text, tokens }: Judged): readonly Fault[] {
  if (/[{}<>[\]|\\]|\p{Cc}|\p{Surrogate}|lorem ipsum|\btodo\b/iu.test(text)) {
    return [
      fault("unfinished", "It holds code, control characters or a gap where words should be."),
    ];
  }
  if (/ship\s+it/iu.test(text)) {
    return [fault("approval_phrase", "A slogan must not carry the words of approval.")];
  }
  if (tokens.length < 2 || lengthOf(text) < 8) {
    return [fault("too_short", "That is hardly a line yet: give it a subject and a promise.")];
  }
  return [];
}

function offBrief({ tokens, facts }: Judged): readonly Fault[] {
  if (facts.anchors.size === 0 || tokens.some((token) => isAnchor(token, facts))) return [];
  const named = facts.product?.words ?? [...facts.anchors][0] ?? "";
  return [fault("off_brief", `Nothing here says what it is for: name the “${named}”.`)];
}

function isAnchor(token: string, facts: BriefFacts): boolean {
  const stem = stemOf(token);
  return [...facts.anchors].some(
    (anchor) => stem === anchor || (anchor.length >= 4 && stem.startsWith(anchor)),
  );
}

function echo({ tokens, brief }: Judged): readonly Fault[] {
  if (tokens.length === 0 || tokens.join(" ") !== tokensOf(brief).join(" ")) return [];
  return [fault("echo", "It only repeats the brief; say what the thing does for me.")];
}

function tooLong({ text, tokens }: Judged): readonly Fault[] {
  const length = lengthOf(text);
  if (length <= LONGEST_SLOGAN && tokens.length <= 12) return [];
  const tail = text.split(/\s+/).slice(-4).join(" ");
  return [
    fault(
      "too_long",
      `At ${length} characters nobody will remember it; cut “${tail}” and stay under ${LONGEST_SLOGAN}.`,
      tail,
    ),
  ];
}

function cliche({ text, lower }: Judged): readonly Fault[] {
  const found = firstQuote(text, lower, CLICHES);
  if (found === undefined) return [];
  return [fault("cliche", `“${found}” is a cliché that any brand could print.`, found)];
}

function vague({ text, tokens, facts }: Judged): readonly Fault[] {
  const word = tokens.find((token) => VAGUE_WORDS.has(token) && !isAnchor(token, facts));
  if (word === undefined) return [];
  const quote = quoteOf(text, word) ?? word;
  return [fault("vague", `“${quote}” is vague: say what exactly it changes.`, quote)];
}

function noBenefit({ tokens, facts }: Judged): readonly Fault[] {
  const promises = tokens.some((token) => BENEFITS.has(stemOf(token)) && !isAnchor(token, facts));
  if (promises) return [];
  const gift = facts.themes[0]?.gift ?? GENERAL_THEME.gift;
  const example = facts.language === undefined ? `, such as “${gift}”` : "";
  return [fault("no_benefit", `It promises nothing I can picture; show the benefit${example}.`)];
}

function noVerb({ tokens }: Judged): readonly Fault[] {
  const moves = tokens.some((token) => {
    const parts = [token, token.split("-")[0] ?? token];
    return parts.some((part) => VERBS.has(part) || VERB_STEMS.has(stemOf(part)));
  });
  return moves ? [] : [fault("no_verb", "Nothing moves in it: it needs a strong verb.")];
}

function passive({ text }: Judged): readonly Fault[] {
  const found =
    /\bbrought to you by\b/i.exec(text)?.[0] ??
    /\b(?:is|are|was|were|been|being)\s+(?:\p{L}+ed|made|built|given|kept|brought)\b/iu.exec(
      text,
    )?.[0];
  if (found === undefined) return [];
  return [fault("passive", `“${found}” is passive: let the product do it.`, found)];
}

function repetition({ text, tokens }: Judged): readonly Fault[] {
  const repeated = tokens.find(
    (token, index) =>
      token === tokens[index + 1] ||
      (!STOP_WORDS.has(token) && tokens.indexOf(token) !== index) ||
      tokens.filter((other) => other === token).length > 2,
  );
  if (repeated === undefined) return [];
  const quote = quoteOf(text, repeated) ?? repeated;
  return [
    fault("repetition", `“${quote}” is said more than once; use the room for an image.`, quote),
  ];
}

function loud({ text }: Judged): readonly Fault[] {
  const marks = text.match(/[!！]/gu)?.length ?? 0;
  const shouted = text.match(/\p{Lu}{4,}/gu)?.length ?? 0;
  if (marks < 2 && shouted < 2) return [];
  const how = marks < 2 ? "in capitals" : `with ${marks} exclamation marks`;
  return [fault("loud", `It shouts ${how}; a sure line ends with a full stop.`)];
}

function wordy({ text, lower }: Judged): readonly Fault[] {
  const found = firstQuote(text, lower, FILLERS);
  if (found === undefined) return [];
  return [fault("wordy", `“${found}” is filler: drop it and get to the promise.`, found)];
}

function rhythm({ text, tokens }: Judged): readonly Fault[] {
  if (tokens.length < 10 || /[,.;:!?–—-]\s/u.test(text)) return [];
  return [
    fault("no_rhythm", "It runs on without a pause, so it has no rhythm; break it in two beats."),
  ];
}

function article({ text, facts }: Judged): readonly Fault[] {
  if (facts.language !== undefined) return [];
  const found =
    /\ba (?!one|use|uni|eu)[aeiou]\p{L}*/iu.exec(text)?.[0] ??
    /\ban (?!hour|hono|heir)[^aeiou\s]\p{L}*/iu.exec(text)?.[0];
  if (found === undefined || /^A[IRE] /.test(found)) return [];
  return [fault("article", `“${found}” has the wrong article.`, found)];
}

function firstQuote(text: string, lower: string, phrases: readonly string[]): string | undefined {
  return phrases
    .filter((words) => lower.includes(words))
    .map((words) => quoteOf(text, words))
    .find((quote) => quote !== undefined);
}

/** The words as they stand in the text, whole words only. */
export function quoteOf(text: string, words: string): string | undefined {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return undefined;
  const before = text.slice(0, at).at(-1) ?? " ";
  const after = text.charAt(at + words.length);
  const within = /[\p{L}\p{N}]/u;
  return within.test(before) || within.test(after) ? undefined : text.slice(at, at + words.length);
}

function fault(code: string, message: string, quote?: string): Fault {
  return {
    severity: "error",
    code,
    message,
    field: "content",
    ...defined({ quote }),
  };
}
