import { type Fault, fault } from "../fault.ts";
import {
  cliches,
  codePoints,
  fillers,
  isStopWord,
  quoteOf,
  stem,
  subjectsOf,
  tokensOf,
  vagueWords,
} from "../words.ts";
import { type BriefFacts, keyTerms, readBrief } from "./brief.ts";
import { promises } from "./themes.ts";

interface Judged {
  readonly text: string;
  readonly brief: string;
  readonly facts: BriefFacts;
  readonly tokens: readonly string[];
  /** What the brief itself says is not a fault. */
  readonly given: ReadonlySet<string>;
}

type Rule = (judged: Judged) => Fault | undefined;

/** Slogans have their own craft; every other recipe is prose that keeps its checks. */
export function isSlogan(task: { readonly recipe: string; readonly title: string }): boolean {
  return /slogan|tagline|claim|motto/i.test(`${task.recipe} ${task.title}`);
}

export type Critic = (text: string) => readonly Fault[];

/** Everything that can be held against a slogan, gravest first. */
export function sloganCritic(brief: string): Critic {
  return criticOf(brief, [
    notALine,
    offBrief,
    tooLong,
    cliche,
    vague,
    noBenefit,
    repetition,
    loud,
    wordy,
  ]);
}

/** What can be held against any other text: judged by the brief, not by the recipe's name. */
export function proseCritic(brief: string): Critic {
  return criticOf(brief, [unfinished, thin, vague, cliche, repeatedSentence, wordy]);
}

function criticOf(brief: string, rules: readonly Rule[]): Critic {
  const facts = readBrief(brief);
  const given = new Set(tokensOf(brief));
  return (text) => {
    const judged = { text, brief, facts, given, tokens: tokensOf(text) };
    return rules.flatMap((rule) => rule(judged) ?? []);
  };
}

const longestSlogan = 60;
const benefits: ReadonlySet<string> = new Set(subjectsOf(promises));

function notALine({ text, tokens }: Judged): Fault | undefined {
  if (/[{}<>[\]|\\]|\p{Cc}|\p{Surrogate}|lorem ipsum|\btodo\b/iu.test(text)) {
    return fault("unfinished", "It holds code, control characters or a gap where words should be.");
  }
  if (/ship\s+it/iu.test(text)) {
    return fault("approval_phrase", "A slogan must not carry the words of approval.");
  }
  if (tokens.length >= 2 && codePoints(text) >= 8) return undefined;
  return fault("too_short", "That is hardly a line yet: give it a subject and a promise.");
}

function offBrief({ tokens, facts }: Judged): Fault | undefined {
  if (facts.anchors.size === 0 || tokens.some((token) => isAnchor(token, facts))) return undefined;
  return fault("off_brief", `Nothing here says what it is for: name the “${facts.product ?? ""}”.`);
}

function isAnchor(token: string, { anchors }: BriefFacts): boolean {
  return [...anchors].some((anchor) => stem(token).startsWith(anchor));
}

function tooLong({ text, tokens }: Judged): Fault | undefined {
  const length = codePoints(text);
  if (length <= longestSlogan && tokens.length <= 12) return undefined;
  const tail = text.split(/\s+/).slice(-4).join(" ");
  const message = `At ${length} characters nobody will remember it; cut “${tail}” and stay under ${longestSlogan}.`;
  return fault("too_long", message, tail);
}

function cliche({ text, brief }: Judged): Fault | undefined {
  const say = (found: string) => `“${found}” is a cliché that anybody could print.`;
  return quoted("cliche", say, firstOf(cliches, text, brief));
}

function vague({ text, tokens, given }: Judged): Fault | undefined {
  const word = tokens.find((token) => vagueWords.has(token) && !given.has(token));
  const say = (found: string) => `“${found}” is vague: say what exactly it changes.`;
  return quoted("vague", say, word && quoteOf(text, word));
}

function noBenefit({ tokens, facts }: Judged): Fault | undefined {
  if (tokens.some((token) => benefits.has(stem(token)) && !isAnchor(token, facts))) {
    return undefined;
  }
  const example = `less ${facts.theme.loss}, more ${facts.theme.gain}`;
  return fault(
    "no_benefit",
    `It promises nothing I can picture; show something like “${example}”.`,
  );
}

function repetition({ text, tokens }: Judged): Fault | undefined {
  const seen = new Set<string>();
  const twice = tokens.find(
    (token, at) =>
      token === tokens[at + 1] || (!isStopWord(token) && seen.size === seen.add(token).size),
  );
  const say = (found: string) => `“${found}” is said more than once; use the room for an image.`;
  return quoted("repetition", say, twice && (quoteOf(text, twice) ?? twice));
}

function loud({ text }: Judged): Fault | undefined {
  const marks = text.match(/[!！]/gu)?.length ?? 0;
  const shouted = text.match(/\p{Lu}{4,}/gu)?.length ?? 0;
  if (marks < 2 && shouted < 2) return undefined;
  const how = marks < 2 ? "in capitals" : `with ${marks} exclamation marks`;
  return fault("loud", `It shouts ${how}; a sure line ends with a full stop.`);
}

function wordy({ text, brief }: Judged): Fault | undefined {
  const say = (found: string) => `“${found}” is filler: drop it and get to the point.`;
  return quoted("wordy", say, firstOf(fillers, text, brief));
}

function unfinished({ text }: Judged): Fault | undefined {
  const gap =
    /\{\{|\bTODO\b|lorem ipsum|\[(?:\.\.\.|…|insert[^\]]*)\]|[^\P{Cc}\n\t\r]|\p{Surrogate}/iu;
  if (!gap.test(text)) return undefined;
  return fault("unfinished", "There is a gap or a control character where words should be.");
}

/** A text has to take up three of the brief's own words. */
function thin({ tokens, brief, facts }: Judged): Fault | undefined {
  const terms = keyTerms(brief);
  const present = new Set(tokens.map((token) => stem(token)));
  const missing = terms.filter((term) => !present.has(stem(term)));
  const isFull = terms.length - missing.length >= Math.min(3, terms.length);
  if (tokens.length >= 2 && isFull) return undefined;
  const named = missing[0] ?? facts.product ?? "the subject";
  return fault("thin", `It leaves out what the brief turns on; bring in “${named}”.`);
}

function repeatedSentence({ text }: Judged): Fault | undefined {
  const seen = new Set<string>();
  const twice = text
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((part) => part.trim())
    .find((part) => tokensOf(part).length > 2 && seen.size === seen.add(part).size);
  return quoted("repetition", () => "This sentence is there twice; keep one of them.", twice);
}

function quoted(code: string, say: (found: string) => string, found: string | undefined) {
  return found === undefined ? undefined : fault(code, say(found), found);
}

function firstOf(phrases: readonly string[], text: string, brief: string): string | undefined {
  return phrases
    .filter((phrase) => quoteOf(brief, phrase) === undefined)
    .map((phrase) => quoteOf(text, phrase))
    .find((quote) => quote !== undefined);
}
