import { paragraphsOf, sentencesOfParagraph } from "../values/sentences.ts";

/** Compares text after text. From turn to turn most paragraphs stay, so the sentences of the last ones are kept. */
export class PassageReader {
  #sentences = new Map<string, readonly string[]>();

  /**
   * The passages of the new text that did not stand in the old one: whole lines, and of a line that was edited
   * only the sentences that are new. White space does not count, nor does the place of a passage.
   */
  changed(before: string, after: string): readonly string[] {
    const oldLines = new Set(linesOf(before));
    const newLines = linesOf(after).filter((line) => !oldLines.has(line));
    if (newLines.length === 0) return [];
    const paragraphs = paragraphsOf(before);
    const read = new Map([...paragraphs, ...newLines].map((text) => [text, this.#read(text)]));
    this.#sentences = read;
    const known = new Set(paragraphs.flatMap((paragraph) => read.get(paragraph) ?? []));
    return newLines.flatMap((line) => {
      const sentences = read.get(line) ?? [];
      return sentences.length === 0 ? line : sentences.filter((one) => !known.has(one));
    });
  }

  #read(paragraph: string): readonly string[] {
    return this.#sentences.get(paragraph) ?? sentencesOfParagraph(paragraph).map(folded);
  }
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
