import type { KnownLanguage } from "../../../domain/episodes/language.ts";

/** Words that carry no subject. */
const stopWords: { readonly [language in KnownLanguage]: ReadonlySet<string> } = {
  en: new Set(
    `a about above actually after again all almost also always am an and another any anybody anyone anything anyway
    are around as ask asked asks at away back be because become been before began begin behind being best better
    between both but by call came can cannot come comes could day days did different do does doing done down during
    each either else end enough even ever every everybody everyone everything exactly far few find first five for
    found four from gave get gets give go goes going good got great had half has have having he hello her here him his
    hour hours how i if in inside instead into is it its itself just keep kept kind knew know last later least left
    less let like little long look lot made make makes many may maybe me mean means might minute minutes month more
    most mostly much must my near nearly need never new next nine no nobody none nor not nothing now number of off
    often oh ok old on once one only open or other others our out over own part people per person place put question
    quite rather really right roughly said same saw say says second see seen seven she should since six so some
    somebody someone something sometimes somehow still story such sure take takes talk tell ten than thank thanks that
    the their them then there these they thing things think third this those though three through time times to today
    together told too took try turned two under until up upon us use used uses very via want wanted wants was way we
    week weeks welcome well went were what when where whether which while who whole whom whose why will wish with
    within without word work works would write wrote year years yes yet you your yours simply completely course
    honestly partly plenty second anymore eleven twelve hundred thousand forty sixty please sentence moment fair
    start started stop stopped read reads short fine able across against believe bit
    enter happy hear hold idea interesting issue late lose lost love mind name names point ready remove room run
    running sense set show side simple small sort stand standing step sum thought tried twenty understand usually
    wait waiting watch walk worse worth wrong young whoever becomes big bring brings called can't don't isn't it's i'm
    i've that's there's we're you're didn't doesn't wasn't won't he's she's they're let's`.split(
      /\s+/,
    ),
  ),
  de: new Set(
    `ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bleibt brauchen
    braucht da dabei dafür damit danach dann das dass davon dazu dein dem den denn der des deshalb die dies diese
    diesem diesen dieser dieses doch dort drei du durch eben eigentlich ein eine einem einen einer eines einfach
    einmal er erst erste ersten es etwa etwas euch euer für fünf ganz geben gegen gehen geht gerade gern gesagt gibt
    ging gut haben habt hallo hat hatte hatten heute hier ich ihm ihn ihnen ihr ihre ihrem ihren immer in ins ist ja
    jede jeden jeder jedes jetzt kann kannst kein keine keinen kommen kommt konnte können lang lange macht machen mal man manche
    mehr mein meine mich mir mit mittlerweile morgen muss müssen nach natürlich neu neue neuen nicht nichts nie noch
    nun nur ob oder oft ohne sagen sagt schon sehr sei sein seine seinen seit selbst sich sie sind so sogar soll
    sollte sondern steht tun über um und uns unser unsere unter viel viele vielen vier vom von vor wann war waren
    warum was weg weil welche wenn wer werden wie wieder will willkommen wir wird wirklich wo wollen wurde wurden zehn
    zu zum zur zwar zwei zweite zwischen danke bitte genau leute frage jahr jahre jahren tag tage woche wochen zeit mensch
    menschen ding dinge stunde stunden minute minuten anfang ende beispiel teil thema folge`.split(
      /\s+/,
    ),
  ),
};

export function isStopWord(word: string, language: KnownLanguage): boolean {
  return stopWords[language].has(word.toLowerCase());
}

/** Runs of letters, with inner apostrophes and hyphens. */
export function wordsOf(text: string): readonly string[] {
  return text.replaceAll("’", "'").match(/\p{L}[\p{L}\p{M}\p{N}]*(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The words a text is about, in one form each, so that `shelves` and `shelf` meet. */
export function subjectsOf(text: string, language: KnownLanguage): readonly string[] {
  return wordsOf(text)
    .filter((word) => word.length > 2 && !isStopWord(word, language))
    .map((word) => stem(word, language));
}

export function stem(word: string, language: KnownLanguage): string {
  const lower = word.toLowerCase().replace(/'s$/, "");
  if (language === "de") return lower.length > 5 ? lower.replace(/(en|er|es|e|n|s)$/, "") : lower;
  if (/ves$/.test(lower)) return lower.replace(/ves$/, "f");
  if (/ies$/.test(lower) && lower.length > 4) return lower.replace(/ies$/, "y");
  if (/(ss|us|is)$/.test(lower)) return lower;
  if (/(ch|sh|x|ss)es$/.test(lower)) return lower.slice(0, -2);
  return lower.length > 3 ? lower.replace(/s$/, "") : lower;
}

export function capitalised(text: string): string {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}

export function codePoints(text: string): number {
  return [...text].length;
}
