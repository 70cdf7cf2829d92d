import { sentencesOf } from "../values/sentences.ts";

/**
 * The passages of the new text that did not stand in the old one: whole lines, and of a line that was edited
 * only the sentences that are new. White space does not count, nor does the place of a passage.
 */
export function changedPassages(before: string, after: string): readonly string[] {
  const oldLines = new Set(linesOf(before));
  const newLines = linesOf(after).filter((line) => !oldLines.has(line));
  if (newLines.length === 0) return [];
  const oldSentences = new Set(sentencesOf(before).map(folded));
  return newLines.flatMap((line) => newSentences(line, oldSentences));
}

function newSentences(line: string, known: ReadonlySet<string>): readonly string[] {
  const sentences = sentencesOf(line);
  if (sentences.length === 0) return [line];
  return sentences.filter((sentence) => !known.has(folded(sentence)));
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(folded)
    .filter((line) => line !== "");
}

/** Single blanks, which are nearly all white space, are left where they stand. */
function folded(text: string): string {
  return text.trim().replace(/\s{2,}|[^\S ]/gu, " ");
}
