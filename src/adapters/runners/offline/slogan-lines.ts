import { type BriefFacts, oneOf } from "./brief-facts.ts";
import type { Theme } from "./themes.ts";
import { capitalised, thirdPerson } from "./word-forms.ts";

/** Lines by how finished they are. Only `polished` ones are meant to please. */
export interface SloganLines {
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly polished: readonly string[];
}

/** Everything the writer could say about a brief. Which of it is any good is for the critic to tell. */
export function sloganLines(facts: BriefFacts): SloganLines {
  const { language, product } = facts;
  if (language !== undefined && product !== undefined) {
    const fill = (line: string) =>
      line
        .replaceAll("{Product}", capitalised(product.words))
        .replaceAll("{product}", product.words);
    return { first: language.first.map(fill), second: [], polished: language.polished.map(fill) };
  }
  const each = facts.themes.map((theme) => linesOfTheme(facts, theme));
  return {
    first: each.flatMap((lines) => lines.first).map(tidy),
    second: each.flatMap((lines) => lines.second).map(tidy),
    polished: each.flatMap((lines) => lines.polished).map(tidy),
  };
}

function linesOfTheme(facts: BriefFacts, theme: Theme): SloganLines {
  const lines = { first: [] as string[], second: [] as string[], polished: [] as string[] };
  const words = wordsFor(facts);
  for (const act of theme.acts) {
    lines.first.push(...firstThoughts(words, act));
    lines.second.push(...secondThoughts(words, act));
    lines.polished.push(...finishedWithAct(words, act));
  }
  for (const [index, loss] of theme.losses.entries()) {
    const gain = theme.gains[index] ?? theme.gains[0] ?? "";
    for (const use of words.uses) lines.polished.push(`${use}: less ${loss}, more ${gain}.`);
    lines.polished.push(`${loss} ends where ${words.our} ${words.begins}.`);
    lines.first.push(`More ${gain}, more laughter, more joy: ${words.bare}.`);
  }
  const { audience } = facts;
  if (audience !== undefined) {
    for (const use of words.uses) lines.polished.push(`Give ${audience} ${theme.gift}. ${use}.`);
  }
  return lines;
}

interface LineWords {
  /** Commands with the product in them. */
  readonly uses: readonly string[];
  /** The product as the subject of "that …". */
  readonly subject: string;
  readonly our: string;
  /** The product without any article, after a colon. */
  readonly bare: string;
  /** The product with an empty compliment; names and unknown things get none. */
  readonly praised?: string;
  readonly one: string;
  readonly begins: string;
  readonly isName: boolean;
  /** The act as the product does it. */
  does(act: string): string;
}

function wordsFor(facts: BriefFacts): LineWords {
  const { product, kind } = facts;
  if (product === undefined) {
    const it = { subject: "The one", our: "this", bare: "try it", one: "step", begins: "begins" };
    return { ...it, uses: ["Try it", "Bring it home"], isName: false, does: thirdPerson };
  }
  const plural = product.number === "plural";
  const one = oneOf(product);
  const object = kind.single === true ? one : product.words;
  const article = product.number === "singular" && !product.isName ? "the " : "";
  return {
    uses: kind.uses.map((use) =>
      product.isName ? `${use.replace(/ (?:the|our)$/, "")} ${product.words}` : `${use} ${object}`,
    ),
    subject: `${article}${product.words}`,
    our: product.isName ? product.words : `our ${product.words}`,
    bare: `${article}${product.words}`,
    ...(product.isName ? {} : { praised: `${article === "" ? "" : "a "}great ${product.words}` }),
    one,
    begins: plural ? "begin" : "begins",
    isName: product.isName,
    does: plural ? (act) => act : thirdPerson,
  };
}

function finishedWithAct(words: LineWords, act: string): readonly string[] {
  const that = words.isName
    ? `${words.subject} ${words.does(act)}.`
    : `${words.subject} that ${words.does(act)}.`;
  return [
    ...words.uses.map((use) => `${use}. ${capitalised(act)}.`),
    ...words.uses.map((use) => `${act}: ${lowerFirst(use)}.`),
    that,
    ...(words.isName ? [] : [`${words.our} ${words.does(act)}.`]),
  ];
}

function firstThoughts(words: LineWords, act: string): readonly string[] {
  const [use = "", otherUse = use] = words.uses;
  return [
    ...(words.praised === undefined ? [] : [`${words.praised} to ${act}.`]),
    `${act}, one ${words.one} at a time.`,
    `${words.bare} for a better tomorrow.`,
    `${use} and feel the difference.`,
    `${use} every single day and ${act} while you get on with the rest of it.`,
    `${otherUse}! ${capitalised(act)}!`,
    `${act}. It is all you need.`,
    `${act}, now and tomorrow.`,
    `${words.bare}, for quality and for everyone.`,
    `${act}: brought to you by ${words.our}.`,
  ];
}

function secondThoughts(words: LineWords, act: string): readonly string[] {
  const [use = "", otherUse = use] = words.uses;
  return [
    `${use}, so that you can ${act}.`,
    `${otherUse}, and ${act} like never before.`,
    `${use} to really ${act}.`,
    `${use} and maybe ${act}.`,
    `${use}. Simply ${act}.`,
  ];
}

/** Capital letters at the start and after a full stop, and nothing doubled at the joints. */
function tidy(line: string): string {
  return capitalised(line.replace(/\s+/g, " ").trim());
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
