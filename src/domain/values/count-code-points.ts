const astral = /[\u{10000}-\u{10ffff}]/u;

/** Length as people count it for limits. Builds no array, so ten megabytes cost nothing. */
export function countCodePoints(text: string): number {
  if (!astral.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
