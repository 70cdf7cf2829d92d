import type { ReviewDecision } from "../../domain/gates/decision.ts";
import { readCounts } from "./finding-counts.ts";

const decisions: { readonly [letter: string]: ReviewDecision } = {
  p: "pass",
  o: "pass",
  i: "pass",
  w: "warn",
  f: "fail",
  e: "error",
  u: "unknown",
};

/** Of a word that one of the patterns below has found: they know no two with one first letter and two meanings. */
export function decisionOfWord(word: string): ReviewDecision | undefined {
  return decisions[word.charAt(0).toLowerCase()];
}

const label = "(?:result|verdict|outcome|status|decision)";
const word = "(?<word>pass(?:ed)?|ok|info|warn(?:ing)?|fail(?:ed)?|error|unknown)";
const leading = "(?:(?:final|overall)\\s+)?";
/** Emphasis, code marks and the signs people like to put before a verdict; a struck word does not count. */
const dress = "[\\s*_`\\p{So}\\uFE0F]*";
/** A sign of consent may follow any word; a cross behind `pass` would take it back. */
const tick = "[✅✔☑👍🎉🟢]";
/** After the word: nothing, punctuation, a parenthesis or a reason; a list of words is a template, not a choice. */
const marks = "[*_`\\s\\p{So}\\uFE0F]*";
const listed = `(?!${marks}(?:[,;/|]|or\\b)${marks}(?:or\\b)?${marks}(?:pass|ok|info|warn|fail|error|unknown))`;
const ending = `${listed}(?=[*_\`]*\\s*(?:$|[.,;:!)\\](]|${tick}|[-–—](?:\\s|$)|(?:with|because|since|due)\\b))`;
const separator = "[\\s*_`]*(?:[:=–—]|-(?=\\s))";

/** `Result: PASS`, `**Verdict** — warn (2 findings)`, `Final outcome: OK`. One that is `revised` declares nothing. */
export const declaration = new RegExp(
  `^${dress}(?<revised>(?:revised|updated|corrected)\\s+)?${leading}${label}${separator}(?<before>${dress})${word}${ending}`,
  "iu",
);

/** A review that opens with its verdict: `Pass. The table earns its place`, `**FAIL** — no source`. */
export const openingWord = new RegExp(
  `^(?<before>${dress})(?<word>pass(?:es|ed)?|ok(?:ay)?|info|warn(?:ing)?|fail(?:s|ed)?|error)[*_\`]*\\s*(?:$|[.!:]|${tick}|[–—]|-(?=\\s))`,
  "iu",
);

/** A label that waits for its word on the next line or in the next cell. */
export const labelAlone = new RegExp(`^${dress}${leading}${label}[\\s*_\`:]*$`, "iu");

/** Nothing but the word, perhaps with a parenthesis. */
export const wordAlone = new RegExp(
  `^(?<before>${dress})${word}[\\s*_\`.!]*(?:${tick}\\uFE0F?)?\\s*(?:\\((?<bracket>[^()]*)\\))?[\\s*_\`.!]*$`,
  "iu",
);

const qualifiers = /^(?:marginal|minor|clean)$/iu;

/** A sign that is not one of consent, and what takes a word back: another word, a question mark, a stroke. */
const otherSign = new RegExp(`(?!${tick})[\\p{So}✗✘]`, "u");
const takenBack = /^[\s.!:;,)\]*_`]*(?:[?/|]|(?:warn|fail|error)(?:ing|ed)?\b)|~~|<\/?(?:s|del)>/iu;

/**
 * Whether what is around a declared pass leaves it one: signs of consent before it, and behind it a known qualifier or
 * a count in brackets, a count after a comma, or a new sentence. `PASS (not)` and `PASS, but …` are no pass.
 */
export function leavesPass(before: string, after: string): boolean {
  if (otherSign.test(before) || otherSign.test(after) || takenBack.test(after)) return false;
  const bracket = /^[*_`\s]*[([]([^()[\]]*)/u.exec(after)?.[1]?.trim();
  if (bracket !== undefined) return qualifiers.test(bracket) || readCounts(bracket) === "pass";
  const more = /^[*_`\s]*(?:[,;]|with\b)(.*)$/iu.exec(after)?.[1];
  return more === undefined || readCounts(more) === "pass";
}

/** What a finding starts with: `warn: …`, `Severity: warn`, `[warn] …`, or the bare word. */
export const severity =
  /^(?:\*\*severity:?\*\*:?\s*|severity:\s*)?(?:[[(`]{0,2}(?=\w+[\])`]))?(pass|ok|info|warn(?:ing)?|fail|error|unknown)(?:[\])`]|\s*(?:$|[:—–]|-(?=\s)))/i;

/** `**WARN …`: a bold severity, whatever follows. */
export const boldWord =
  /^(?:\*\*severity:?\*\*:?\s*)?(?:\*\*|__)\[?(?<word>pass|ok|info|warn(?:ing)?|fail|error|unknown)(?![\p{L}\p{N}/|-])/iu;

/** `The gate's verdict: FAIL`: a line that ends with a worse word declares nothing, but may contradict a declaration. */
export const worseAtEnd = /[:=–—→][\s*_`]*(warn(?:ing)?|fail(?:ed|ure)?|error)[\s*_`.!]*$/iu;

/** `Flagging as WARN`, at the start of a sentence: it declares nothing, but may contradict a declaration. */
export const flagging =
  /(?:^[\s*_+-]*|[.;:!?—–]\s+)(?:Flagging|FLAGGING)\s+(?:this\s+|it\s+)?as\s+[*_]*(pass|ok|info|warn|fail|error|unknown)\b/iu;
