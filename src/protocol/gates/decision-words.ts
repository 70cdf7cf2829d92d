import type { ReviewDecision } from "../../domain/gates/decision.ts";

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
export function decisionOf(word: string): ReviewDecision | undefined {
  return decisions[word.charAt(0).toLowerCase()];
}

const label = "(?:result|verdict|outcome|status|decision)";
const word = "(pass(?:ed)?|ok|info|warn(?:ing)?|fail(?:ed)?|error|unknown)";
const leading = "(?:(?:final|overall)\\s+)?";
/** Emphasis, code marks and the signs people like to put before a verdict. */
const dress = "[\\s*_`~\\p{So}\\uFE0F]*";
/** A sign of consent may follow any word; a cross behind `pass` would take it back. */
const tick = "[✅✔☑👍🎉]";
/** After the word: nothing, punctuation, a parenthesis or a reason; a list of words is a template, not a choice. */
const marks = "[*_`~\\s\\p{So}\\uFE0F]*";
const listed = `(?!${marks}(?:[,;/|]|or\\b)${marks}(?:or\\b)?${marks}(?:pass|ok|info|warn|fail|error|unknown))`;
const ending = `${listed}(?=[*_\`~]*\\s*(?:$|[.,;:!)\\](]|${tick}|[-–—](?:\\s|$)|(?:with|because|since|due)\\b))`;
const separator = "[\\s*_`]*(?:[:=–—]|-(?=\\s))";

/** `Result: PASS`, `**Verdict** — warn (2 findings)`, `Final outcome: OK`. Group 1 tells a revision. */
export const declaration = new RegExp(
  `^${dress}((?:revised|updated|corrected)\\s+)?${leading}${label}${separator}${dress}${word}${ending}`,
  "iu",
);

/** A label that waits for its word on the next line or in the next cell. */
export const labelAlone = new RegExp(`^${dress}${leading}${label}[\\s*_\`:]*$`, "iu");

/** Nothing but the word, perhaps with a parenthesis. */
export const wordAlone = new RegExp(
  `^${dress}${word}[\\s*_\`.!]*(?:${tick}\\uFE0F?)?\\s*(?:\\([^()]*\\))?[\\s*_\`.!]*$`,
  "iu",
);

/** What a finding starts with: `warn: …`, `Severity: warn`, or the bare word. */
export const severity =
  /^(?:\*\*severity:?\*\*:?\s*|severity:\s*)?[[`]?(pass|ok|info|warn(?:ing)?|fail|error|unknown)[\]`]?\s*(?:$|[:—–]|-(?=\s))/i;

/** `**WARN …`: a bold severity, whatever follows. */
export const boldWord =
  /^(?:\*\*severity:?\*\*:?\s*)?(?:\*\*|__)\[?(pass|ok|info|warn(?:ing)?|fail|error|unknown)(?![\p{L}\p{N}/|-])/iu;

/**
 * `Flagging as INFO` at the start of a sentence. In lower case, inside quotation marks or after somebody else's
 * verb it is somebody else's word.
 */
export const flagging =
  /(?:^[\s*_+-]*|^[^"'`“”„‘’«»]*[.;:!?—–]\s+)(?:Flagging|FLAGGING)\s+(?:this\s+|it\s+)?(?:as|AS)\s+[*_]*(pass|PASS|Pass|ok|OK|info|INFO|Info|warn|WARN|Warn|fail|FAIL|Fail|error|ERROR|unknown|UNKNOWN)\b/u;

/** By their first letter, a to z. */
const plainWords = Array.from({ length: 26 }, (_, letter) =>
  ["pass", "ok", "info", "warn", "warning", "fail", "error", "unknown"]
    .filter((plain) => plain.charCodeAt(0) === 97 + letter)
    .map((plain) => ({ plain, decision: decisionOf(plain) })),
);

/** The decision of a severity that ends right before this character. */
export function plainWordAt(text: string, start: number, end: number): ReviewDecision | undefined {
  const words = plainWords[lowerAt(text, start) - 97] ?? [];
  for (const { plain, decision } of words)
    if (text.charCodeAt(start + plain.length) === end && isWordAt(text, start, plain))
      return decision;
  return undefined;
}

function isWordAt(text: string, start: number, plain: string): boolean {
  for (let at = 0; at < plain.length; at += 1)
    if (lowerAt(text, start + at) !== plain.charCodeAt(at)) return false;
  return true;
}

/** Of a letter; whatever else it makes of other characters is no small letter. */
function lowerAt(text: string, at: number): number {
  return text.charCodeAt(at) | 32;
}

/** What the first three letters of a line leave possible. */
export const canBe = { nothing: 0, label: 1, word: 2, weight: 4, anything: 7 } as const;

const openings = new Uint8Array(32 ** 3);
const mark = (starts: string, possible: number) => {
  for (const start of starts.split(" "))
    openings[slot(start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2))] = possible;
};
mark("res rev ver out sta dec fin ove upd cor", canBe.label);
mark("pas inf war fai err unk sev", canBe.word);
mark("min mod maj", canBe.weight);
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
