import { countCodePoints } from "../../../../domain/values/count-code-points.ts";
import { sentencesOf } from "../../../../domain/values/sentences.ts";
import { type Critic, criticOf, type FaultRule, quotingRule, unless } from "../fault.ts";
import {
  cliches,
  fillers,
  finderOf,
  firstRepeated,
  isStopWord,
  quoteOf,
  stem,
  subjectsOf,
  tokensOf,
  vagueWords,
} from "../words.ts";
import { type BriefFacts, briefTerms, readBrief } from "./brief.ts";
import { promises } from "./themes.ts";

interface Facts extends BriefFacts {
  readonly brief: string;
}

/** Slogans have their own craft; every other recipe is prose that keeps its checks. */
export function isSlogan(task: { readonly recipe: string; readonly title: string }): boolean {
  return /slogan|tagline|claim|motto/i.test(`${task.recipe} ${task.title}`);
}

export function sloganCritic(brief: string): Critic {
  return criticOf(sloganRules, { ...readBrief(brief), brief });
}

export function proseCritic(brief: string): Critic {
  return criticOf(proseRules, { ...readBrief(brief), brief });
}

const longestSlogan = 60;
const benefits: ReadonlySet<string> = new Set(subjectsOf(promises));
const gap =
  /\{\{|\{\w+\}|lorem ipsum|\btodo\b|\[(?:\.\.\.|…|insert)|[^\P{Cc}\n\t\r]|\p{Surrogate}/iu;

const sharedRules: { readonly [code: string]: FaultRule<Facts> } = {
  unfinished: unless(
    "It holds code, control characters or a gap where words should be.",
    (text) => !gap.test(text),
  ),
  cliche: wornOut("“%” is a cliché that anybody could print.", cliches),
  vague: wornOut("“%” is vague: say what exactly it changes.", vagueWords),
  wordy: wornOut("“%” is filler: drop it and get to the point.", fillers),
};

/** Everything that can be held against a slogan. */
const sloganRules: { readonly [code: string]: FaultRule<Facts> } = {
  approval_phrase: unless(
    "A slogan must not carry the words of approval.",
    (text) => !/ship\s+it/iu.test(text),
  ),
  too_short: unless(
    "That is hardly a line yet: give it a subject and a promise.",
    (text) => tokensOf(text).length >= 2 && countCodePoints(text) >= 8,
  ),
  off_brief: unless(
    ({ product }) => `Nothing here says what it is for: name the “${product}”.`,
    (text, facts) => facts.anchors.size === 0 || tokensOf(text).some(isAnchor(facts)),
  ),
  too_long: quotingRule(
    `Nobody will remember it: cut “%” and stay under ${longestSlogan}.`,
    (text) => {
      const isShort = countCodePoints(text) <= longestSlogan && tokensOf(text).length <= 12;
      return isShort ? undefined : text.split(/\s+/).slice(-4).join(" ");
    },
  ),
  ...sharedRules,
  no_benefit: unless(
    ({ theme: { loss, gain } }) =>
      `It promises nothing I can picture; show something like “less ${loss}, more ${gain}”.`,
    (text, facts) => {
      const others = tokensOf(text).filter((token) => !isAnchor(facts)(token));
      return others.some((token) => benefits.has(stem(token)));
    },
  ),
  repetition: quotingRule("“%” is said more than once; use the room for an image.", (text) => {
    const tokens = tokensOf(text);
    const doubled = tokens.find((token, at) => token === tokens[at + 1]);
    const twice = doubled ?? firstRepeated(tokens.filter((token) => !isStopWord(token)));
    return twice && (quoteOf(text, twice) ?? twice);
  }),
  loud: unless(
    "It shouts; a sure line ends with one full stop and needs no capitals.",
    (text) => !/[!！].*[!！]|\p{Lu}{4,}.*\p{Lu}{4,}/su.test(text),
  ),
};

/** What can be held against any other text: judged by the brief, not by the recipe's name. */
const proseRules: { readonly [code: string]: FaultRule<Facts> } = {
  ...sharedRules,
  thin: unless(
    ({ brief }) => `It leaves out what the brief turns on: ${briefTerms(brief).join(", ")}.`,
    takesUpBrief,
  ),
  repetition: quotingRule("This sentence is there twice; keep one of them.", (text) =>
    firstRepeated(sentencesOf(text).filter((one) => tokensOf(one).length > 2)),
  ),
};

/** Phrases that say nothing; what the brief itself says is not a fault. */
function wornOut(message: string, phrases: readonly string[]): FaultRule<Facts> {
  const find = finderOf(phrases);
  return quotingRule(message, (text, { brief }) => find(text, brief));
}

function isAnchor({ anchors }: BriefFacts): (token: string) => boolean {
  return (token) => [...anchors].some((anchor) => stem(token).startsWith(anchor));
}

/** At least three of the words that the brief turns on. */
function takesUpBrief(text: string, { brief }: Facts): boolean {
  const terms = briefTerms(brief);
  const tokens = tokensOf(text);
  const present = new Set(tokens.map((token) => stem(token)));
  const taken = terms.filter((term) => present.has(stem(term))).length;
  return tokens.length >= 2 && taken >= Math.min(3, terms.length);
}
