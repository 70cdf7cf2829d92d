import { linesOf } from "../values/lines.ts";
import { paragraphsOf, sentencesOfParagraph } from "../values/sentences.ts";

/**
 * Compares text after text. The text that was new in one turn is the old one of the next, and most of its
 * paragraphs stay: what was read of the last texts is kept.
 */
export class PassageReader {
  #lines = new Map<string, readonly string[]>();
  #sentences = new Map<string, readonly string[]>();

  /**
   * The passages of the new text that did not stand in the old one: whole lines, and of a line that was edited
   * only the sentences that are new. White space does not count, nor does the place of a passage.
   */
  changed(before: string, after: string): readonly string[] {
    const [oldLines, lines] = [this.#linesOf(before), this.#linesOf(after)];
    this.#lines = new Map([
      [before, oldLines],
      [after, lines],
    ]);
    const old = new Set(oldLines);
    const newLines = lines.filter((line) => !old.has(line));
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

  #linesOf(text: string): readonly string[] {
    return this.#lines.get(text) ?? foldedLines(text);
  }

  #read(paragraph: string): readonly string[] {
    return this.#sentences.get(paragraph) ?? sentencesOfParagraph(paragraph).map(folded);
  }
}

function foldedLines(text: string): readonly string[] {
  return linesOf(text)
    .map(folded)
    .filter((line) => line !== "");
}

/** Single blanks, which are nearly all white space, are left where they stand. */
function folded(text: string): string {
  return text.trim().replace(/\s{2,}|[^\S ]/gu, " ");
}
