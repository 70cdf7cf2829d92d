import { stripVTControlCharacters } from "node:util";
import { defined } from "../../../../domain/values/defined.ts";
import { briefWords, isStopWord, stem, tokensOf, vagueWords, wordsOf } from "../words.ts";
import { type Theme, themeOf } from "./themes.ts";

/** What the stand-ins understand of a brief. Everything in it is a plain word: nothing hostile survives. */
export interface BriefFacts {
  /** A name, or up to three words as they are written inside a sentence, without an article. */
  readonly product?: string;
  /** Commands with the product in them. */
  readonly uses: readonly string[];
  readonly theme: Theme;
  /** Stems one of which a text must have to be about this brief; empty if the brief names nothing. */
  readonly anchors: ReadonlySet<string>;
}

/** Words after which a brief stops naming the product and starts to explain it. */
const boundaries = new Set(
  "for that which who over through via inside near against with without to in from by at on and or of where when while so because as into about made is are was will can reminds sells keeps für mit aus pour avec для".split(
    " ",
  ),
);

const usesOf: readonly (readonly [things: RegExp, uses: readonly string[]])[] = [
  [/(?:bottle|flask|mug|cup|bag|backpack|suitcase|box)s?$/, ["Fill the", "Pack the"]],
  [/(?:coffee|tea|beer|wine|juice|lemonade)s?$/, ["Pour the", "Share the"]],
  [/(?:shoe|boot|sock|jacket|shirt|scar[fv]e?|watche?|glasse?)s?$/, ["Put on the", "Wear the"]],
  [/(?:app|software|platform|manager|assistant|crm|tool)s?$/, ["Open the", "Start the"]],
  [/(?:bike|scooter|car|van)s?$/, ["Start the", "Hop on the"]],
  [/(?:bread|chocolate|granola|pasta|cake|burger|honey|food|meal)s?$/, ["Taste the", "Share the"]],
  [
    /(?:bakery|shop|hotel|hostel|gym|school|museum|festival|club|dentist)$/,
    ["Visit our", "Step into our"],
  ],
  [
    /(?:service|delivery|insurance|class|classe|lesson|course|advice|flight)s?$/,
    ["Book our", "Count on our"],
  ],
];

const longestProduct = 22;

export function readBrief(brief: string): BriefFacts {
  const text = plainBrief(brief);
  const name = nameOf(text);
  const phrase = nounPhrase(name === undefined ? text : text.replace(name, " "));
  const product = name ?? shortened(phrase, text === text.toUpperCase());
  const anchors = product === undefined ? [] : [...phrase, ...tokensOf(product)];
  return {
    ...defined({ product }),
    uses: product === undefined ? ["Try it", "Bring it home"] : usesFor(product, phrase, name),
    theme: themeOf(tokensOf(text)),
    anchors: new Set(anchors.map((word) => stem(word))),
  };
}

function plainBrief(brief: string): string {
  return stripVTControlCharacters(brief)
    .replace(/ship\s+it/giu, " ")
    .slice(0, 20_000);
}

/** Names are believed only where the brief says that they are names. */
function nameOf(text: string): string | undefined {
  const called = /\b(?:called|named)\s+["“'„]?(\p{Lu}[\p{L}\p{N}]{1,18})/u.exec(text)?.[1];
  const opening = /^\s*(\p{Lu}[\p{L}\p{N}]{1,18})(?:,|:|\s[-–—])\s+(?:an?|the|our)\s/u.exec(text);
  const name = called ?? opening?.[1];
  return name === undefined || isStopWord(name) ? undefined : name;
}

/** The content words of the first stretch of the brief that names something. */
function nounPhrase(text: string): readonly string[] {
  for (const stretch of text.split(/[^\p{L}\p{N}\p{M}'’ -]+|\s[-–—]\s/u)) {
    const phrase: string[] = [];
    for (const word of wordsOf(stretch)) {
      if (phrase.length > 0 && boundaries.has(word.toLowerCase())) break;
      if (isContent(word.toLowerCase())) phrase.push(word);
    }
    if (phrase.length > 0) return phrase;
  }
  return [];
}

function isContent(word: string): boolean {
  const says = !isStopWord(word) && !briefWords.has(word) && !boundaries.has(word);
  return says && word.length > 1 && !/^\p{N}+$|[^mi]ly$/u.test(word);
}

/** Abbreviations and names with inner capitals keep them; the rest is an ordinary word. */
function shortened(phrase: readonly string[], shouted: boolean): string | undefined {
  const written = phrase.map((word) =>
    !shouted && /^\p{Lu}{2,4}(?:-\p{Lu})?$|\p{Ll}\p{Lu}/u.test(word) ? word : word.toLowerCase(),
  );
  return [3, 2, 1]
    .map((count) => written.slice(-count).join(" "))
    .find((words) => words !== "" && words.length <= longestProduct);
}

function usesFor(product: string, phrase: readonly string[], name?: string): readonly string[] {
  const head = phrase.at(-1)?.toLowerCase() ?? "";
  const uses = usesOf.find(([things]) => things.test(head))?.[1] ?? [
    "Reach for the",
    "Count on the",
  ];
  return uses.map(
    (use) => `${name === undefined ? use : use.replace(/ (?:the|our)$/, "")} ${product}`,
  );
}

/** The words a brief turns on, most frequent first, then in order of appearance. Names keep their capital. */
export function keyTerms(brief: string): readonly string[] {
  const counted = new Map<string, { readonly word: string; readonly count: number }>();
  for (const written of wordsOf(plainBrief(brief))) {
    const word = written.toLowerCase();
    if (word.length < 4 || word.length > 24 || !isContent(word) || vagueWords.has(word)) continue;
    const known = counted.get(stem(word));
    const kept = known?.word !== word && /^\p{Lu}\p{Ll}/u.test(written) ? written : word;
    counted.set(stem(word), { word: kept, count: (known?.count ?? 0) + 1 });
  }
  return [...counted.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, 6)
    .map(({ word }) => word);
}

/** Sentences of the brief that a text can quote as they are. */
export function briefSentences(brief: string): readonly string[] {
  const sentences = plainBrief(brief)
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((part) => part.replace(/^[\s#>*•\d.:)-]+/u, "").trim())
    .filter((part) => tokensOf(part).length >= 4 && part.length <= 220 && !/[{}<>|\\]/.test(part))
    .map((part) => (/[.!?…]$/u.test(part) ? part : `${part}.`));
  return [...new Set(sentences)];
}
