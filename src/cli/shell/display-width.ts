import { lazily } from "../../domain/values/lazily.ts";
import { isSimple } from "./strip-control.ts";

const segmenter = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** The characters as a reader sees them. */
export function graphemesOf(text: string): readonly string[] {
  if (isSimple(text)) return text.split("");
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}

/** Columns a text takes on a terminal. Takes text that passed `stripControl` and has no newline or tab. */
export function displayWidth(text: string): number {
  if (isSimple(text)) return text.length;
  return graphemesOf(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

/** Cuts to the width and adds an ellipsis; never in the middle of a character. */
export function cutToWidth(text: string, width: number): string {
  const head = text.slice(0, width * longestGrapheme);
  if (head.length === text.length && displayWidth(text) <= width) return text;
  let cut = "";
  let room = width - 1;
  for (const grapheme of graphemesOf(head)) {
    room -= graphemeWidth(grapheme);
    if (room < 0) break;
    cut += grapheme;
  }
  return width < 1 ? "" : `${cut.trimEnd()}…`;
}

/** Pads on the right with spaces. */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function graphemeWidth(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\uFE0F/u.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) {
    if (zeroWidth().test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** Longer clusters do not occur in real text; only the search for the cut depends on it. */
const longestGrapheme = 40;

/** Marks, and the vowels and final consonants that complete a Korean syllable. */
const zeroWidth = lazily(() => /[\p{Mark}\p{Default_Ignorable_Code_Point}\u1160-\u11FF]/u);

/** East Asian Wide and Fullwidth of Unicode Standard Annex 11, without the emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18AFF}\u{1AFF0}-\u{1B2FF}\u{20000}-\u{3FFFD}]/u;
