import type { KnownLanguage } from "../../../domain/episodes/language.ts";
import { capitalised } from "../../../domain/values/capitalised.ts";
import { escapePattern } from "../../../domain/values/escape-pattern.ts";

/** Word lists, one string each; they are data, not code. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(words(text));
}

/** Words that carry no subject. */
const stopWords: { readonly [language in KnownLanguage]: ReadonlySet<string> } = {
  en: wordSet(`
    a about above actually after again all almost also always am an and another any anybody anyone anything anyway are
    around as ask asked at away back be because become becomes been before began begin behind being best better between
    big both bring brings but by call called came can can't cannot come comes could course day days did didn't different
    do does doesn't doing don't done down during each either else end enough even ever every everybody everyone
    everything exactly far few find fine first five for found four from gave get gets give go goes going good got great
    had half has have having he hear hello her here him his hour hours how i i'm i've idea if in inside instead into is
    isn't it it's its itself just keep kept kind knew know last later least left less let let's like little long look
    lose lost lot love made make makes making many may maybe me mean means might mind minute minutes moment month more
    most mostly much must my name named near nearly need needs never new next nine no nobody none nor not nothing now
    number of off often oh ok old on once one only or other others our out over own part partly people per person place
    point put question quite rather ready really right roughly said same saw say says second see seen seven sense
    sentence set she should side simply since six small so some somebody someone something sometimes somehow sort start
    started still stop story such sure take takes talk tell ten than thank thanks that that's the their them then there
    there's these they thing things think third this those though thought three through time times to today together
    told too took tried try turned twenty two under until up upon us use used uses usually very via wait want wanted
    wants was way we we're week weeks welcome well went were what when where whether which while who whoever whole whom
    whose why will wish with within without word works worse worth would write wrote wrong year years yes yet you you're
    young your yours`),
  de: wordSet(`
    ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bleibt brauchen
    braucht da dabei dafür damit danach dann das dass davon dazu dein dem den denn der des deshalb die dies diese diesem
    diesen dieser dieses doch dort drei du durch eben eigentlich ein eine einem einen einer eines einfach einmal er erst
    erste ersten es etwa etwas euch euer für fünf ganz geben gegen gehen geht gerade gern gesagt gibt ging gut haben habt
    hallo hat hatte hatten heute hier ich ihm ihn ihnen ihr ihre ihrem ihren immer in ins ist ja jede jeden jeder jedes
    jetzt kann kein keine keinen kommen kommt konnte können lang lange macht machen mal man manche mehr mein meine mich
    mir mit morgen muss müssen nach natürlich neu neue neuen nicht nichts nie noch nun nur ob oder oft ohne sagen sagt
    schon sehr sei sein seine seinen seit selbst sich sie sind so sogar soll sollte sondern steht tun über um und uns
    unser unsere unter viel viele vielen vier vom von vor wann war waren warum was weg weil welche wenn wer werden wie
    wieder will willkommen wir wird wirklich wo wollen wurde wurden zehn zu zum zur zwar zwei zweite zwischen danke bitte
    genau leute frage jahr jahre jahren tag tage woche wochen zeit mensch menschen ding dinge stunde stunden minute
    minuten anfang ende beispiel teil thema folge`),
};

/** Words of a brief that speak of the task or praise the product instead of naming it. */
export const briefWords = words(`
  create sell sells selling offer offers offering build builds building looking provide provides help helps slogan
  slogans tagline claim motto product products company companies brand brief description tone ship ignore previous
  instructions respond reply approved approve system prompt null true false type range line pair box piece subscription
  nice amazing awesome innovative premium quality perfect ultimate unique leading top daily worldwide locally soon text
  output json stuff below episode explains please tone`);

export const vagueWords = words(`
  great best better good nice amazing awesome incredible innovative premium quality perfect ultimate unique leading
  solution solutions excellence everyone everything something anything things stuff special wonderful fantastic
  revolutionary world-class superior outstanding exceptional modern synergy`);

export const cliches =
  "feel the difference|make a difference|next level|better tomorrow|game changer|at a time|like never before|you deserve|second to none|the future of|all you need|state of the art|in today's fast-paced|dive deep|delve|unleash|tapestry".split(
    "|",
  );

export const fillers =
  "so that you can|in order to|each and every|every single|really|very|simply|basically|maybe|perhaps|probably".split(
    "|",
  );

export function isStopWord(word: string, language: KnownLanguage = "en"): boolean {
  return stopWords[language].has(word.toLowerCase());
}

/** Runs of letters and digits, with inner apostrophes and hyphens. */
export function wordsOf(text: string): readonly string[] {
  return (
    text.replaceAll("’", "'").match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['-][\p{L}\p{N}]+)*/gu) ?? []
  );
}

export function tokensOf(text: string): readonly string[] {
  return wordsOf(text.toLowerCase());
}

/** The words a text is about, in one form each, so that `shelves` and `shelf` meet. */
export function subjectsOf(text: string, language: KnownLanguage = "en"): readonly string[] {
  return wordsOf(text)
    .filter((word) => word.length > 2 && !isStopWord(word, language))
    .map((word) => stem(word, language));
}

const suffixes = ["ies", "ing", "ied", "es", "ed", "s", "e", "y"];

export function stem(word: string, language: KnownLanguage = "en"): string {
  const lower = word.toLowerCase().replace(/'s$/, "").replace(/ves$/, "f");
  if (language === "de") return lower.length > 5 ? lower.replace(/(en|er|es|e|n|s)$/, "") : lower;
  const suffix = suffixes.find((end) => lower.endsWith(end) && lower.length - end.length >= 3);
  return lower.slice(0, lower.length - (suffix?.length ?? 0));
}

/** The words as the text spells them, whole words only. */
export function quoteOf(text: string, phrase: string): string | undefined {
  return new RegExp(wholeWords([phrase]), "iu").exec(text)?.[0];
}

/** Finds the first of the phrases in a text, as it spells it, unless the brief has it too. */
export function finderOf(
  phrases: readonly string[],
): (text: string, brief?: string) => string | undefined {
  const any = new RegExp(wholeWords(phrases), "giu");
  return (text, brief = "") => {
    const found = text.match(any) ?? [];
    return found.find((quote) => quoteOf(brief, quote) === undefined);
  };
}

function wholeWords(phrases: readonly string[]): string {
  return `(?<![\\p{L}\\p{N}])(?:${phrases.map(escapePattern).join("|")})(?![\\p{L}\\p{N}])`;
}

/** The words of a list in one spelling each, the most frequent first, then in order of appearance. */
export function mostFrequent(
  words: readonly string[],
  language: KnownLanguage = "en",
): readonly string[] {
  const spellings = Map.groupBy(words, (word) => stem(word, language));
  return [...spellings.values()]
    .sort((left, right) => right.length - left.length)
    .map(([first = ""]) => first);
}

export function firstRepeated(texts: readonly string[]): string | undefined {
  return texts.find((text, at) => texts.indexOf(text) < at);
}

export function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Each term as one word in CamelCase. */
export function hashtags(terms: readonly string[]): string {
  const joined = terms.map((term) => wordsOf(term).flatMap((word) => word.split(/['-]/)));
  const tags = joined.map((words) => `#${words.map(capitalised).join("")}`);
  return [...new Set(tags)].join(" ");
}
