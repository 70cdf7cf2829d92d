import type { Piece } from "./text-blocks.ts";

/** The text in segments, with those that a reviewer quoted marked. Quotes that are not in the text are ignored. */
export function markQuotes(text: string, quotes: readonly string[]): readonly Omit<Piece, "at">[] {
  const found = quotes
    .map((quote) => ({ from: quote === "" ? -1 : text.indexOf(quote), length: quote.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from || b.length - a.length);
  const pieces: Omit<Piece, "at">[] = [];
  let at = 0;
  for (const { from, length } of found) {
    if (from < at) continue;
    if (from > at) pieces.push({ text: text.slice(at, from), kind: "same" });
    pieces.push({ text: text.slice(from, from + length), kind: "marked" });
    at = from + length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kind: "same" });
  return pieces;
}
