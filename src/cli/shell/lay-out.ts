import { displayWidth, graphemesOf, graphemeWidth } from "./display-width.ts";
import type { Palette, Style } from "./palette.ts";
import { stripControl } from "./strip-control.ts";

/** A piece of text with a meaning. Untrusted text is made safe when it is laid out. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
  /** Never wrapped inside, such as a command that is there to be copied. */
  readonly isWhole?: boolean;
}

/** A span, plain text, or nothing. */
export type Inline = Span | string | false | undefined;

/** One line of output; `undefined` and `false` are left out, an empty text is an empty line. */
export type Line = Inline | readonly Inline[] | LedLine;

export interface LedLine {
  readonly lead: Lead;
  readonly spans: readonly Inline[];
  /** Never wrapped: a command is there to be copied. */
  readonly isWhole?: boolean;
}

export interface Layout {
  /** Columns of the terminal; with `Infinity` nothing is wrapped. */
  readonly width: number;
  readonly palette: Palette;
}

/** Precedes the first line; the others are indented as far, so untrusted text never reaches the margin. */
export type Lead = readonly Inline[];

/** A piece that is safe, has no newline and knows its width. */
interface Piece extends Span {
  readonly width: number;
}

/** Text is never wrapped to fewer columns than this. */
const narrowest = 16;

/**
 * Turns spans into lines. All output passes through here: control characters are removed, and styles are applied line
 * by line, so no colour runs on into the next one.
 */
export function layOut(
  spans: readonly Inline[],
  layout: Layout,
  lead: Lead = [],
): readonly string[] {
  const first = spansOf(lead).flatMap((span) =>
    piecesOf({ ...span, text: stripControl(span.text) }),
  );
  const indent = widthOf(first);
  const room = Math.max(narrowest, layout.width - indent);
  const margin: readonly Piece[] = [{ text: " ".repeat(indent), width: indent }];
  return paragraphsOf(spansOf(spans))
    .flatMap((paragraph) => wrap(paragraph, room))
    .map((line, at) => paintLine([...(at === 0 ? first : margin), ...line], layout.palette));
}

export function layOutLines(lines: readonly Line[], layout: Layout): readonly string[] {
  return lines.flatMap((line) => {
    if (line === undefined || line === false) return [];
    if (typeof line === "object" && "spans" in line) {
      const { spans, lead, isWhole = false } = line;
      return layOut(spans, isWhole ? { ...layout, width: Number.POSITIVE_INFINITY } : layout, lead);
    }
    return layOut(typeof line === "object" && !("text" in line) ? line : [line], layout);
  });
}

function spansOf(parts: readonly Inline[]): readonly Span[] {
  return parts.flatMap((part) => {
    if (part === undefined || part === false) return [];
    return typeof part === "string" ? [{ text: part }] : [part];
  });
}

/** One paragraph per newline of the text. */
function paragraphsOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const paragraphs: Span[][] = [[]];
  for (const span of spans) {
    const lines = stripControl(span.text).replaceAll("\t", "  ").split("\n");
    for (const [at, text] of lines.entries()) {
      if (at > 0) paragraphs.push([]);
      paragraphs.at(-1)?.push({ ...span, text });
    }
  }
  return paragraphs;
}

function wrap(spans: readonly Span[], room: number): readonly (readonly Piece[])[] {
  if (room === Number.POSITIVE_INFINITY) return [spans.map((span) => ({ ...span, width: 0 }))];
  const lines: Piece[][] = [[]];
  let left = room;
  for (const { gap, pieces } of wordsOf(spans)) {
    const width = widthOf(pieces);
    if (widthOf(gap) + width <= left) {
      lines.at(-1)?.push(...gap, ...pieces);
      left -= widthOf(gap) + width;
      continue;
    }
    const isKept = width <= room || pieces.some(({ isWhole }) => isWhole === true);
    const broken = isKept ? [pieces] : breakWord(pieces, room);
    if (lines.at(-1)?.length === 0) lines.pop();
    for (const part of broken) lines.push([...part]);
    left = room - widthOf(broken.at(-1) ?? []);
  }
  return lines;
}

/** A word with the white space before it. It may change its style in the middle. */
interface Word {
  readonly gap: Piece[];
  readonly pieces: Piece[];
}

function wordsOf(spans: readonly Span[]): readonly Word[] {
  const words: Word[] = [{ gap: [], pieces: [] }];
  for (const span of spans) {
    const parts = span.isWhole === true ? wholePart : anyPart;
    for (const [text] of span.text.matchAll(parts)) {
      const piece = { ...span, text, width: displayWidth(text) };
      const last = words.at(-1);
      if (span.isWhole === true || /^[\S\u00A0]/u.test(text)) last?.pieces.push(piece);
      else if (last?.pieces.length === 0) last.gap.push(piece);
      else words.push({ gap: [piece], pieces: [] });
    }
  }
  return words.filter(({ pieces }) => pieces.length > 0);
}

const anyPart = /[^\S\u00A0]{1,1000}|[\S\u00A0]{1,1000}/gu;
const wholePart = /.+/gsu;

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.width, 0);
}

/** For a word that is wider than a line: between characters, never inside one. */
function breakWord(word: readonly Piece[], room: number): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  let left = room;
  for (const piece of word) {
    let text = "";
    for (const grapheme of graphemesOf(piece.text)) {
      const width = graphemeWidth(grapheme);
      if (width > left) {
        lines.at(-1)?.push(...piecesOf({ ...piece, text }));
        lines.push([]);
        text = "";
        left = room;
      }
      text += grapheme;
      left -= width;
    }
    lines.at(-1)?.push(...piecesOf({ ...piece, text }));
  }
  return lines;
}

function piecesOf(span: Span): readonly Piece[] {
  return span.text === "" ? [] : [{ ...span, width: displayWidth(span.text) }];
}

/** Neighbours of one style are painted together; trailing white space is left out. */
function paintLine(pieces: readonly Piece[], palette: Palette): string {
  const merged: Span[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last !== undefined && last.style === piece.style) {
      merged[merged.length - 1] = { ...last, text: last.text + piece.text };
    } else {
      merged.push(piece);
    }
  }
  const line = merged
    .map(({ text, style }) => (style === undefined ? text : palette.paint(style, text)))
    .join("");
  return line.trimEnd();
}
