import type { ReviewDecision } from "../../domain/gates/decision.ts";
import type { NoteFinding } from "../../domain/gates/findings.ts";
import { decisionOfWord, declaration } from "./decision-words.ts";
import { readSignals } from "./extract-decision.ts";
import { visibleLines } from "./visible-lines.ts";

/** How a block has to declare its result. */
export interface ResultForm {
  /** Part of the result line; the authors of note and gate cannot know it. */
  readonly code: string;
  /** Whether a result line without the code counts: only where no note or gate could have put it there. */
  readonly takesUncoded: boolean;
}

export interface ReadResult {
  readonly decision: ReviewDecision;
  readonly doubt?: string;
  /** A doubtful block declares FAIL all the same, so asking again cannot make it better. */
  readonly declaresFail?: true;
}

/**
 * The result of a block that answers our own prompt. All results must agree and no finding may be worse; everything
 * else is `unknown`, so nothing lifts a declared FAIL and no PASS outlives its own findings.
 */
export function readResult(
  text: string,
  findings: readonly NoteFinding[],
  { code, takesUncoded }: ResultForm,
): ReadResult {
  const coded = linesWith(text, resultLine(code));
  const unknown = (doubt: string): ReadResult => ({
    ...{ decision: "unknown", doubt },
    ...(coded.words.includes("fail") ? { declaresFail: true } : {}),
  });
  const isDamaged = text.split(code).length - 1 !== coded.words.length;
  if (isDamaged) return unknown(`a line with the code ${code} is not a result line as asked for`);
  const plain = linesWith(text, resultLine(undefined));
  const counts = coded.words.length > 0 || !takesUncoded ? coded : plain;
  const [word, ...others] = new Set(counts.words);
  if (word === undefined) return unknown("there is no result line with the code");
  if (others.length > 0) return unknown("the result lines differ");
  if (holdsUnreadable(text, code)) return unknown("a line declares a result that cannot be read");
  if (counts.hasTextBehind) return unknown("there is text behind the result line");
  if (word === "error") return { decision: "error" };
  const { declared, severities, contrary } = readSignals(text);
  const named = [...declared, ...severities, ...contrary];
  const worst = Math.max(
    ...findings.map(({ severity }) => rankOf(severity)),
    ...named.map(rankOf),
    0,
  );
  if (worst > rankOf(word)) return unknown(`the result ${word} is better than what is found`);
  return { decision: word };
}

/** A word that cannot be read counts as the worst. */
function rankOf(word: ReviewDecision | NoteFinding["severity"]): number {
  if (word === "pass" || word === "info") return 0;
  return word === "warn" ? 1 : 2;
}

const label = "(?:(?:final|overall)\\s+)?(?:result|verdict|outcome|decision)";
const word = "(pass(?:ed)?|warn(?:ing)?|fail(?:ed)?|error)";
const tick = "[✅✔☑👍]\\uFE0F?";
const qualifier = "[([](?:marginal|minor|clean)[)\\]]";

/** After the word only: nothing, a full stop, a tick or a known qualifier. */
function resultLine(code: string | undefined): RegExp {
  const name = code === undefined ? label : `${label}\\s+\`?${code}\`?`;
  return new RegExp(
    `^ {0,3}(?:#{1,6}\\s+|[-*+]\\s+)?[*_]{0,3}${name}[*_]{0,3}\\s*[:=–—-][*_]{0,3}\\s*(?:${tick}\\s*)?[*_\`]{0,3}${word}[*_\`]{0,3}\\s*(?:${tick}|${qualifier})?[.*_]{0,4}\\s*$`,
    "iu",
  );
}

const otherLabel =
  /^[\s#*_>+-]*(?:(?:final|overall)\s+)?(?:result|verdict)[\s*_`]*[:=][\s*_`]*\S/iu;

/** `Verdict: I would fail this note` */
function holdsUnreadable(text: string, code: string): boolean {
  return visibleLines(text).some(
    ({ text: line }) =>
      !line.includes(code) &&
      otherLabel.test(line) &&
      !declaration.test(line.replace(/^\s*(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/u, "")),
  );
}

interface ResultLines {
  readonly words: readonly ReviewDecision[];
  readonly hasTextBehind: boolean;
}

const longestLine = 240;

function linesWith(text: string, pattern: RegExp): ResultLines {
  const found = visibleLines(text).flatMap(({ text: line, end }) => {
    const decision = decisionOfWord(pattern.exec(line.slice(0, longestLine))?.[1] ?? "");
    return decision === undefined ? [] : [{ decision, end }];
  });
  const lastEnd = found.at(-1)?.end ?? text.length;
  return {
    words: found.map(({ decision }) => decision),
    hasTextBehind: /[\p{L}\p{N}]/u.test(text.slice(lastEnd)),
  };
}
