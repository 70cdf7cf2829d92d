import {
  bargains,
  companions,
  compliments,
  delays,
  doubts,
  objections,
  refusingSigns,
  requests,
  softeners,
  unspacedDoubts,
} from "./approval-lexicon.ts";
import { isBlank } from "./clean-text.ts";
import { stripReasoning } from "./reasoning.ts";

/** `unclear`: the phrase is there in a doubtful form, or nothing is; worth asking again. */
export type Approval = "approved" | "not_approved" | "unclear";

const defaultPhrase = "SHIP IT";

/** A longer reply is a review, whatever words it holds, and reading it closely would take noticeable time. */
const longestApproval = 20_000;

/** What the reviewer was shown: words from here are echoes, not verdicts. */
export interface ApprovalContext {
  readonly brief?: string;
  readonly candidate?: string;
  readonly phrase?: string;
}

/**
 * Whether a reviewer's reply approves. A false approval signs bad work, a false refusal costs one turn, so every
 * rule leans towards refusing: the phrase must stand in a clause of its own or among a few known words, nothing
 * in the reply may take it back, and it must be spelled as agreed. A doubtful spelling (`SHIP-IT`, a zero-width
 * character inside, the phrase inside JSON or beside bytes that were no text) is `unclear`. When the brief or the
 * text under review holds the phrase, only a reply that is nothing but the phrase approves.
 */
export function readApproval(reply: string, context: ApprovalContext = {}): Approval {
  const spoken = stripReasoning(reply);
  if (isBlank(spoken)) {
    return "unclear";
  }
  if (spoken.length > longestApproval) {
    return "not_approved";
  }
  const phrase = readWords(context.phrase ?? defaultPhrase).map((word) => word.plain);
  const own = withoutQuotedLines(spoken);
  const said = readWords(own);
  const found = findPhrase(said, phrase);
  if (found.length === 0 || refusingSigns.test(own) || isTakenBack(said, found)) {
    return "not_approved";
  }
  const echo = judgeEcho({ own, phrase, sources: [context.brief, context.candidate] });
  if (echo !== "approved") {
    return echo;
  }
  const isPlain = found.some((one) => one.exact) && !/[{\ufffd]/u.test(own);
  return isPlain ? "approved" : "unclear";
}

interface Word {
  /** As compared: lower case, compatibility forms folded, invisible characters gone. */
  readonly plain: string;
  /** False when folding changed more than case. */
  readonly exact: boolean;
  /** What stands between the word before and this one. */
  readonly before: string;
  /** What stands between this word and the next. */
  readonly after: string;
}

interface Occurrence {
  readonly from: number;
  readonly to: number;
  readonly exact: boolean;
}

const wordPattern = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}\p{Cf}_]*(?:['’ʼ＇][\p{L}\p{M}\p{Cf}]+)*/gu;
const invisible = /\p{Cf}/gu;
const onlyAscii = /^[\x20-\x7e]*$/;

function readWords(text: string): readonly Word[] {
  const matches = [...text.matchAll(wordPattern)];
  return matches.map((match, at) => {
    const end = match.index + match[0].length;
    const last = matches[at - 1];
    const from = last === undefined ? 0 : last.index + last[0].length;
    return {
      ...foldWord(match[0]),
      before: text.slice(from, match.index),
      after: text.slice(end, matches[at + 1]?.index ?? text.length),
    };
  });
}

function foldWord(raw: string): Pick<Word, "plain" | "exact"> {
  const bare = raw
    .replace(/^_+/u, "")
    .replace(/_{1,8}$/u, "")
    .toLowerCase();
  if (onlyAscii.test(bare)) {
    return { plain: bare, exact: true };
  }
  const plain = bare.replace(invisible, "").normalize("NFKC").replace(/[’ʼ]/gu, "'").toLowerCase();
  return { plain, exact: plain === bare };
}

/** White space of any kind, but not an empty line: two paragraphs are no phrase. */
const spaceInside = /^(?!(?:.*(?:\r\n|[\n\r\u2028\u2029])){2})\s+$/u;
const doubtfulInside = /^[\s\p{Pd}\p{Cf}*`_]{0,20}$/u;

function findPhrase(said: readonly Word[], phrase: readonly string[]): readonly Occurrence[] {
  const [first] = phrase;
  const joined = phrase.join("");
  const found: Occurrence[] = [];
  for (let at = 0; first !== undefined && at < said.length; at += 1) {
    const word = said[at];
    if (word?.plain === first && matchesFrom(said, phrase, at)) {
      const inside = said.slice(at, at + phrase.length);
      const spaced = inside.slice(1).every((next) => spaceInside.test(next.before));
      found.push({
        from: at,
        to: at + phrase.length - 1,
        exact: spaced && inside.every((part) => part.exact),
      });
    } else if (phrase.length > 1 && word?.plain.replaceAll("_", "") === joined) {
      found.push({ from: at, to: at, exact: false });
    }
  }
  return found;
}

function matchesFrom(said: readonly Word[], phrase: readonly string[], at: number): boolean {
  return phrase.every((part, offset) => {
    const word = said[at + offset];
    return word?.plain === part && (offset === 0 || doubtfulInside.test(word.before));
  });
}

const sentenceEnd = /[.!?…。！？؟|]|[\r\n\u2028\u2029]/u;
const carriedOn = /^[^.!?…。！？؟\r\n]*:["'“”«»*_`\s]*$/u;
const clauseEnd = /[,;，；—–()[\]/\u2022]|\s-+\s|\p{Extended_Pictographic}/u;
const question = /[?？؟]/u;
const struck = /~~|<!--/u;
const quotedAside = /^[.!?…]*["'”’»“`]/u;

type Boundary = "none" | "clause" | "sentence";

function boundaryBefore(word: Word, afterPhrase: boolean): Boundary {
  if (
    afterPhrase &&
    quotedAside.test(word.before) &&
    /^[\p{Ll}]/u.test(word.plain) &&
    !word.before.includes("\n")
  ) {
    return "none";
  }
  if (sentenceEnd.test(word.before) && !carriedOn.test(word.before)) {
    return "sentence";
  }
  return clauseEnd.test(word.before) ? "clause" : "none";
}

function isTakenBack(said: readonly Word[], found: readonly Occurrence[]): boolean {
  const inPhrase = new Set<number>();
  for (const { from, to } of found) {
    for (let at = from; at <= to; at += 1) {
      inPhrase.add(at);
    }
    if (struck.test(said[from]?.before ?? "") || struck.test(said[to]?.after ?? "")) {
      return true;
    }
  }
  const first = found[0]?.from ?? 0;
  const asksBack = said.some((word, at) => at >= first && question.test(word.after));
  return asksBack || hasStrangeCompany(said, inPhrase) || hasDoubt(said, inPhrase, first);
}

/** The clause of the phrase holds a word that is not known to be harmless there. */
function hasStrangeCompany(said: readonly Word[], inPhrase: ReadonlySet<number>): boolean {
  let hasPhrase = false;
  let hasStranger = false;
  for (const [at, word] of said.entries()) {
    const isPart = inPhrase.has(at) && inPhrase.has(at - 1);
    if (!isPart && boundaryBefore(word, inPhrase.has(at - 1)) !== "none") {
      hasPhrase = false;
      hasStranger = false;
    }
    hasPhrase ||= inPhrase.has(at);
    hasStranger ||= !inPhrase.has(at) && !companions.has(word.plain);
    if (hasPhrase && hasStranger) {
      return true;
    }
  }
  return false;
}

/** Any sentence objects; or a sentence from the phrase on postpones. */
function hasDoubt(said: readonly Word[], inPhrase: ReadonlySet<number>, first: number): boolean {
  const parts: string[] = [];
  let sentences = 0;
  let phraseSentence = 0;
  for (const [at, word] of said.entries()) {
    const boundary =
      inPhrase.has(at) && inPhrase.has(at - 1) ? "none" : boundaryBefore(word, false);
    if (boundary === "sentence") {
      sentences += 1;
    }
    if (at === first) {
      phraseSentence = sentences;
    }
    const mark = { none: "", clause: ", ", sentence: "| " }[boundary];
    parts.push(mark + (inPhrase.has(at) ? "+" : word.plain));
  }
  const text = parts.join(" ").replace(compliments, "+");
  return objections.test(text) || someWordObjects(text.split(" "), phraseSentence);
}

function someWordObjects(words: readonly string[], phraseSentence: number): boolean {
  let sentence = 0;
  let opensClause = true;
  for (const word of words) {
    if (word === "|" || word === ",") {
      sentence += word === "|" ? 1 : 0;
      opensClause = true;
      continue;
    }
    const asks = requests.has(word) || (sentence === phraseSentence && bargains.has(word));
    const objects = isDoubt(word) || (opensClause && asks);
    const postpones = sentence >= phraseSentence && delays.has(word);
    if (objects || postpones) {
      return true;
    }
    opensClause &&= softeners.has(word);
  }
  return false;
}

function isDoubt(word: string): boolean {
  return doubts.has(word) || word.endsWith("n't") || unspacedDoubts.test(word);
}

interface Echo {
  readonly own: string;
  readonly phrase: readonly string[];
  readonly sources: readonly (string | undefined)[];
}

/** Compares letters and digits only, which sees the phrase in a source rather too often than too rarely. */
function judgeEcho({ own, phrase, sources }: Echo): Approval {
  const signal = lettersOf(phrase.join(""));
  const reply = lettersOf(own);
  const isAlone = reply.replaceAll(signal, "") === "";
  let verdict: Approval = "approved";
  for (const source of sources) {
    const shown = lettersOf(source ?? "");
    if (!shown.includes(signal)) {
      continue;
    }
    if (!isAlone && shown.includes(reply)) {
      return "not_approved";
    }
    if (!isAlone || shown.replaceAll(signal, "") === "") {
      verdict = "unclear";
    }
  }
  return verdict;
}

function lettersOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

const fenceLine = /^\s{0,3}(`{3,}|~{3,})[^`]{0,100}$/u;

/** The reviewer's own lines: block quotes and fenced blocks are somebody's words, unless there is nothing else. */
function withoutQuotedLines(text: string): string {
  const own: string[] = [];
  const quoted: string[] = [];
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/u)) {
    const mark = fenceLine.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || line.trim() === fence)) {
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined || /^\s{0,3}>/u.test(line)) {
      quoted.push(line);
    } else {
      own.push(line);
    }
  }
  const kept = own.join("\n");
  return isBlank(kept) ? quoted.join("\n").replace(/^\s{0,3}>/gmu, "") : kept;
}
