export interface Stretch {
  readonly text: string;
  readonly isMarked: boolean;
  readonly at: number;
}

/** The text in segments, with those that a reviewer quoted marked. Quotes that are not in the text are ignored. */
export function markQuotes(text: string, quotes: readonly string[]): readonly Stretch[] {
  const found = quotes
    .map((quote) => ({ from: quote === "" ? -1 : text.indexOf(quote), length: quote.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from || b.length - a.length);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { from, length } of found) {
    if (from < at) continue;
    if (from > at) stretches.push({ text: text.slice(at, from), isMarked: false, at });
    stretches.push({ text: text.slice(from, from + length), isMarked: true, at: from });
    at = from + length;
  }
  if (at < text.length) stretches.push({ text: text.slice(at), isMarked: false, at });
  return stretches;
}
