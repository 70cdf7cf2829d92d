import { sentencesOf } from "../values/sentences.ts";
import type { NoteParts } from "./note-parts.ts";

/** What a rule has found, and where. */
export interface Hit {
  readonly said: string;
  readonly quote?: string;
  readonly line?: number;
}

/** A percentage or a large number in a paragraph that links to nothing. */
export function unlinkedFigures(note: NoteParts): readonly Hit[] {
  return note.prose.flatMap(({ text, line }) => {
    const end = line + text.split("\n").length;
    if (note.links.some((link) => link.line >= line && link.line < end)) return [];
    return sentencesOf(text)
      .filter((sentence) => /\d\s?(?:%|percent|million|billion)/i.test(sentence))
      .map((sentence) => ({ said: "A figure without a source.", quote: sentence, line }));
  });
}

const longestAbbreviation = 6;

/** Capitals of this many letters or more that are nowhere spelled out in brackets or before them. */
export function unexplainedAbbreviations(note: NoteParts, shortest: number): readonly Hit[] {
  const all = note.prose.map(({ text }) => text).join("\n");
  const seen = new Set<string>();
  return note.prose.flatMap(({ text, line }) =>
    (text.match(/\b[A-Z]+\b/g) ?? []).flatMap((short) => {
      if (short.length < shortest || short.length > longestAbbreviation) return [];
      if (all.includes(`(${short})`) || all.includes(`${short} (`) || seen.has(short)) return [];
      seen.add(short);
      return [{ said: `${short} is never spelled out.`, quote: short, line }];
    }),
  );
}

/** Fewer than this percentage of the title's words of four letters or more occur in the body. */
export function titleWordsInBody({ title, prose }: NoteParts, percent: number): readonly Hit[] {
  if (title === undefined) return [];
  const words = contentWords(title);
  const body = new Set(contentWords(prose.map(({ text }) => text).join(" ")).map(stemOf));
  const found = words.filter((word) => body.has(stemOf(word)));
  if (words.length === 0 || found.length * 100 >= words.length * percent) return [];
  const said = `${found.length} of ${words.length} words of the title occur in the body.`;
  return [{ said, quote: title }];
}

/** Fewer than this many words of the description are not in the title. */
export function newWordsInDescription(note: NoteParts, least: number): readonly Hit[] {
  const { title = "", description } = note;
  if (description === undefined) return [];
  const known = new Set(contentWords(title).map(stemOf));
  const added = contentWords(description).filter((word) => !known.has(stemOf(word)));
  if (added.length >= least) return [];
  return [{ said: "The description repeats the title.", quote: description }];
}

function contentWords(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])];
}

/** Enough to meet plural and tense; not linguistics. */
function stemOf(word: string): string {
  return word.length > 5 ? word.slice(0, 5) : word.replace(/s$/, "");
}
