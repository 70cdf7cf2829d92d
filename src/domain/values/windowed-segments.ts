/**
 * The segments of a text, in order. Every segment the engine hands out copies the whole input, so a long text
 * is read through windows; a segment cut by the end of its window is read again from its start.
 */
export function* windowedSegments(
  segmenter: Intl.Segmenter,
  text: string,
  windowLength: number,
): Generator<string> {
  let start = 0;
  let length = windowLength;
  while (start < text.length) {
    const end = wholeCodePoint(text, start + length);
    const found = Array.from(segmenter.segment(text.slice(start, end)), ({ segment }) => segment);
    const isLastWindow = end >= text.length;
    const whole = isLastWindow ? found : found.slice(0, -1);
    yield* whole;
    start = isLastWindow ? text.length : start + whole.reduce((sum, part) => sum + part.length, 0);
    length = whole.length === 0 ? length * 2 : windowLength;
  }
}

/** The end, or one further when it is between the halves of a surrogate pair. */
function wholeCodePoint(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}
