import { praise, praiseCompany } from "./approval-lexicon.ts";
import { isBlank } from "./clean-text.ts";
import { splitReasoning } from "./reasoning.ts";

/** `unclear`: the phrase came with something else, or in another form; only a bare one signs. */
export type Approval = "approved" | "not_approved" | "unclear";

const defaultPhrase = "SHIP IT";

/** A longer reply is a review, whatever words it holds. */
const longestApproval = 400;

/** What the reviewer was shown. Where it holds the phrase, repeating it may be an echo. */
export interface ApprovalContext {
  readonly brief?: string;
  readonly candidate?: string;
  readonly criteria?: string;
  readonly phrase?: string;
}

/**
 * Whether a reviewer's reply approves. A bare approval is a signature: the phrase, perhaps with sentences of known
 * praise. The phrase together with anything else is `unclear`, and no phrase at all is `not_approved`. When the
 * brief, the criteria or the text under review hold the phrase, only a reply that is nothing but the phrase approves.
 */
export function readApproval(reply: string, context: ApprovalContext = {}): Approval {
  const { phrase = defaultPhrase } = context;
  const { spoken, isWhole } = splitReasoning(reply);
  if (isBlank(spoken)) return "unclear";
  if (!mentions(isWhole ? spoken : reply, phrase)) return "not_approved";
  if (!isWhole || spoken.length > longestApproval) return "unclear";
  const { brief = "", candidate = "", criteria = "" } = context;
  const isShown = [brief, candidate, criteria].some((source) => mentions(source, phrase));
  return isBareApproval(spoken, phrase, isShown) ? "approved" : "unclear";
}

/** Whether the text holds the phrase in any spelling that a reader could take for it. */
function mentions(text: string, phrase: string): boolean {
  const words = folded(phrase).match(/[\p{L}\p{N}]+/gu);
  if (words === null) return false;
  const spelled = words.join("[^\\p{L}\\p{N}]{0,20}");
  return new RegExp(`(?<![\\p{L}\\p{N}])${spelled}(?![\\p{L}\\p{N}])`, "u").test(folded(text));
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\p{Cf}\p{M}]+/gu, "")
    .toLowerCase();
}

/** Finds the phrase as it is written; its words are parted by white space alone, and by no empty line. */
export function phrasePattern(phrase: string): string {
  const literal = plainWords(phrase)
    .replace(/[\s.!]+$/u, "")
    .replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")
    .replace(/\s+/gu, "(?=\\s)[^\\S\\n]*\\n?[^\\S\\n]*");
  return `(?<![\\p{L}\\p{M}\\p{N}])${literal}(?![\\p{L}\\p{M}\\p{N}])`;
}

/** A bullet, heading or quote mark at the beginning of a line. */
const lineMark = /^[ \t]*(?:(?:>|#{1,6}(?=\s)|[-*+•](?=\s))[ \t]*)+/gmu;
const signs = /[✅✔☑👍👏🙌👌🎉🥳🚀🚢💯⭐🌟✨❤💚🔥🏆😀😊]\u{FE0F}?/gu;
const allowedBetween = /^[\s.!,*_"'“”]*$/u;
const hesitation = /\.\s*\./u;
/** An exclamation mark right before a word, which programmers read as "not". */
const negation = /(?:^|\s)[*_"'“”]*!+[*_"'“”]*$/u;

interface Said {
  readonly word: string;
  /** What is between this word and the next. */
  readonly after: string;
}

function isBareApproval(text: string, phrase: string, onlyPhrase: boolean): boolean {
  const plain = plainWords(text);
  if (plain.includes(signature)) return false;
  const said = readWords(plain.replace(new RegExp(phrasePattern(phrase), "gu"), signature));
  if (said === undefined) return false;
  const sentences = splitSentences(said);
  const isSaid = sentences.some((sentence) => sentence.words.includes(signature));
  return (
    isSaid &&
    sentences.every((sentence, at) => {
      const others = sentence.words.filter((one) => one !== signature);
      if (others.length === 0) return true;
      const isLast = at === sentences.length - 1;
      const isEnded = sentence.isEnded || (isLast && sentence.words.at(-1) === signature);
      return !onlyPhrase && isEnded && isPraise(others, sentence);
    })
  );
}

/** In lower case, without the marks and signs that may decorate an approval. */
function plainWords(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?/gu, "\n")
    .replace(/^\u{FEFF}/u, "")
    .replace(lineMark, "")
    .replace(signs, " ")
    .replace(/(?<=\p{L})’(?=\p{L})/gu, "'")
    .toLowerCase();
}

/** Stands for the whole phrase. */
const signature = "\uE000";
const word = /[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*|\uE000/gu;

/** The words with what is between them; absent when anything but words and allowed marks is there. */
function readWords(text: string): readonly Said[] | undefined {
  const matches = [...text.matchAll(word)];
  const lead = text.slice(0, matches[0]?.index);
  const said = matches.map((match, at) => ({
    word: match[0],
    after: text.slice(match.index + match[0].length, matches[at + 1]?.index),
  }));
  const gaps = [lead, ...said.map(({ after }) => after)];
  const isPlain = gaps.every((gap) => allowedBetween.test(gap) && !hesitation.test(gap));
  const isNegated = gaps.slice(0, -1).some((gap) => negation.test(gap));
  return isPlain && !isNegated ? said : undefined;
}

interface Sentence {
  readonly words: readonly string[];
  /** In the clauses that commas make of it. */
  readonly clauses: readonly (readonly string[])[];
  /** By a full stop or an exclamation mark. */
  readonly isEnded: boolean;
}

function splitSentences(said: readonly Said[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let clauses: string[][] = [[]];
  for (const [at, { word: one, after }] of said.entries()) {
    clauses.at(-1)?.push(one);
    const isEnded = /[.!]/u.test(after);
    if (isEnded || at === said.length - 1) {
      sentences.push({ words: clauses.flat(), clauses, isEnded });
      clauses = [[]];
    } else if (after.includes(",")) clauses.push([]);
  }
  return sentences;
}

/** At least one word praises, none is unknown, and the phrase itself has nothing but praise in its clause. */
function isPraise(others: readonly string[], { clauses }: Sentence): boolean {
  const isKnown = others.every((one) => praise.has(one) || praiseCompany.has(one));
  const asks = clauses.some(([first]) => first === "is");
  const isAlone = clauses
    .filter((clause) => clause.includes(signature))
    .every((clause) => clause.every((one) => one === signature || praise.has(one)));
  return isKnown && !asks && isAlone && others.some((one) => praise.has(one));
}
