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
const word = "(pass(?:ed)?|ok|info|warn(?:ing)?|fail(?:ed)?|error|unknown)";
const leading = "(?:(?:final|overall)\\s+)?";
/** Emphasis, code marks and the signs people like to put before a verdict; a struck word does not count. */
const dress = "[\\s*_`\\p{So}\\uFE0F]*";
/** A sign of consent may follow any word; a cross behind `pass` would take it back. */
const tick = "[✅✔☑👍🎉]";
/** After the word: nothing, punctuation, a parenthesis or a reason; a list of words is a template, not a choice. */
const marks = "[*_`\\s\\p{So}\\uFE0F]*";
const listed = `(?!${marks}(?:[,;/|]|or\\b)${marks}(?:or\\b)?${marks}(?:pass|ok|info|warn|fail|error|unknown))`;
const ending = `${listed}(?=[*_\`]*\\s*(?:$|[.,;:!)\\](]|${tick}|[-–—](?:\\s|$)|(?:with|because|since|due)\\b))`;
const separator = "[\\s*_`]*(?:[:=–—]|-(?=\\s))";

/** `Result: PASS`, `**Verdict** — warn (2 findings)`, `Final outcome: OK`. Group 1 marks a revision, which declares nothing. */
export const declaration = new RegExp(
  `^${dress}((?:revised|updated|corrected)\\s+)?${leading}${label}${separator}${dress}${word}${ending}`,
  "iu",
);

/** A review that opens with its verdict: `Pass. The table earns its place`, `**FAIL** — no source`. */
export const openingWord = new RegExp(
  `^${dress}(pass(?:es|ed)?|ok(?:ay)?|info|warn(?:ing)?|fail(?:s|ed)?|error)[*_\`]*\\s*(?:$|[.!:]|${tick}|[–—]|-(?=\\s))`,
  "iu",
);

/** A label that waits for its word on the next line or in the next cell. */
export const labelAlone = new RegExp(`^${dress}${leading}${label}[\\s*_\`:]*$`, "iu");

/** Nothing but the word, perhaps with a parenthesis (group 2). */
export const wordAlone = new RegExp(
  `^${dress}${word}[\\s*_\`.!]*(?:${tick}\\uFE0F?)?\\s*(?:\\(([^()]*)\\))?[\\s*_\`.!]*$`,
  "iu",
);

const qualifiers = /^(?:marginal|minor|clean)$/iu;

/**
 * Whether what follows a declared pass leaves it one: a known qualifier or a count in brackets, a count after a
 * comma, or a new sentence. `PASS (not)` and `PASS, but …` are no pass.
 */
export function leavesPass(after: string): boolean {
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
  /^(?:\*\*severity:?\*\*:?\s*)?(?:\*\*|__)\[?(pass|ok|info|warn(?:ing)?|fail|error|unknown)(?![\p{L}\p{N}/|-])/iu;

/** `Flagging as WARN`, at the start of a sentence: it declares nothing, but may contradict a declaration. */
export const flagging =
  /(?:^[\s*_+-]*|[.;:!?—–]\s+)(?:Flagging|FLAGGING)\s+(?:this\s+|it\s+)?as\s+[*_]*(pass|ok|info|warn|fail|error|unknown)\b/iu;

/** What the first three letters of a line leave possible. */
export const canBe = { nothing: 0, label: 1, word: 2, anything: 3 } as const;

const openings = new Uint8Array(32 ** 3);
const mark = (starts: string, possible: number) => {
  for (const start of starts.split(" "))
    openings[slot(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2))] = possible;
};
mark("res rev ver out sta dec fin ove upd cor", canBe.label);
mark("pas inf war fai err unk sev", canBe.word);
/** The one word of two letters: anything may follow it. */
openings.fill(canBe.word, slot(111, 107, 0), slot(111, 107, 31) + 1);

/** A cheap no for nearly all prose. */
export function possibleAt(text: string, core: number): number {
  const first = text.charCodeAt(core);
  if (first >= 128) return canBe.anything;
  const [second, third] = [text.charCodeAt(core + 1), text.charCodeAt(core + 2)];
  return openings[slot(first, second, third)] ?? canBe.nothing;
}

function slot(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}
