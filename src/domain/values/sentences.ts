import { lazily } from "./lazily.ts";
import { linesOf } from "./lines.ts";
import { windowedSegments } from "./windowed-segments.ts";

const segmenter = lazily(() => new Intl.Segmenter("en", { granularity: "sentence" }));

/** Ends of a segment that look like a full stop and are not: titles, initials, short forms, German ordinals. */
const abbreviation =
  /(?:^|[\s("'„“‚‘])(?:\p{L}|Dr|Prof|Mr|Mrs|Ms|St|Nr|No|Vol|vs|ca|bzw|usw|evtl|inkl|e\.g|i\.e|z\.B|d\.h|u\.a|(?:[Aa]m|[Vv]om|[Zz]um|[Ii]m|[Dd]e[rmns]|[Bb]is) \d{1,2})\.\s*$/u;

/** A segment always ends after these two characters. */
const certainEnd = /[.!?] (?=[A-Z])/gu;

/** Holds nothing but its own end that could end a segment. */
const isSegment = /^[^.!?\P{ASCII}]*[.!?]? ?$/u;

const hasWord = /[\p{L}\p{N}]/u;

const listItemOrHeading = /^\s*(?:[-*+•]|\d{1,9}[.)]|#{1,6})\s/u;

/**
 * The sentences of a text, trimmed, in order. A line break inside a paragraph does not end a sentence; a blank
 * line, a list item and a heading do. What has neither letter nor digit is not a sentence.
 */
export function sentencesOf(text: string): readonly string[] {
  return paragraphsOf(linesOf(text)).flatMap(sentencesOfParagraph);
}

/** What is split into sentences on its own, on one line each. */
export function paragraphsOf(lines: readonly string[]): readonly string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const words = line.trim();
    const goesOn = isOpen && !listItemOrHeading.test(line);
    if (words !== "") paragraphs.push(goesOn ? `${paragraphs.pop()} ${words}` : words);
    isOpen = words !== "" && !words.startsWith("#");
  }
  return paragraphs;
}

export function sentencesOfParagraph(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  let unfinished = "";
  for (const segment of segmentsOf(paragraph)) {
    unfinished += segment;
    if (abbreviation.test(segment)) continue;
    sentences.push(unfinished);
    unfinished = "";
  }
  return [...sentences, unfinished].map((part) => part.trim()).filter((part) => hasWord.test(part));
}

/** As the segmenter cuts them. The segmenter is slow, and most sentences can be recognised by their punctuation alone. */
function segmentsOf(paragraph: string): readonly string[] {
  const segments: string[] = [];
  for (let start = 0; start < paragraph.length; ) {
    certainEnd.lastIndex = start;
    const end = certainEnd.test(paragraph) ? certainEnd.lastIndex : paragraph.length;
    const part = paragraph.slice(start, end);
    const found = isSegment.test(part) ? [part] : windowedSegments(segmenter(), part, 8192);
    for (const segment of found) segments.push(segment);
    start = end;
  }
  return segments;
}
