import { linesOf } from "../values/lines.ts";
import { paragraphsOf, sentencesOfParagraph } from "../values/sentences.ts";

interface ReadText {
  readonly text: string;
  /** Without blank ones, and without white space that does not count. */
  readonly lines: readonly string[];
  readonly paragraphs: readonly string[];
}

/**
 * Compares text after text. The text that was new in one turn is the old one of the next, and most of its
 * paragraphs stay: what was read of the last texts is kept.
 */
export class PassageReader {
  #texts: readonly ReadText[] = [];
  #sentences = new Map<string, readonly string[]>();

  /**
   * The passages of the new text that were not in the old one: whole lines, and of a line that was edited
   * only the sentences that are new. White space does not count, nor does the place of a passage.
   */
  changed(before: string, after: string): readonly string[] {
    const [old, now] = [this.#textOf(before), this.#textOf(after)];
    this.#texts = [old, now];
    const oldLines = new Set(old.lines);
    const newLines = now.lines.filter((line) => !oldLines.has(line));
    if (newLines.length === 0) return [];
    const read = new Map<string, readonly string[]>();
    const known = new Set<string>();
    for (const paragraph of old.paragraphs) {
      const sentences =
        this.#sentences.get(paragraph) ?? sentencesOfParagraph(paragraph).map(folded);
      read.set(paragraph, sentences);
      for (const one of sentences) known.add(one);
    }
    const changed: string[] = [];
    // Of lines that are folded the sentences are, too.
    for (const line of newLines) {
      const sentences = this.#sentences.get(line) ?? sentencesOfParagraph(line);
      read.set(line, sentences);
      if (sentences.length === 0) changed.push(line);
      for (const one of sentences) if (!known.has(one)) changed.push(one);
    }
    this.#sentences = read;
    return changed;
  }

  #textOf(text: string): ReadText {
    return this.#texts.find((known) => known.text === text) ?? readText(text);
  }
}

function readText(text: string): ReadText {
  const lines = linesOf(text);
  return {
    text,
    lines: lines.map(folded).filter((line) => line !== ""),
    paragraphs: paragraphsOf(lines),
  };
}

/** Single blanks, which are nearly all white space, are left alone. */
function folded(text: string): string {
  return text.trim().replace(/\s{2,}|[^\S ]/gu, " ");
}
