import { lazily } from "../values/lazily.ts";
import { windowedSegments } from "../values/windowed-segments.ts";

const graphemes = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

/**
 * How alike two texts are, from 0 (nothing in common) to 1 (equal):
 *
 *     similarity = 1 - d / max(n, m)
 *
 * where n and m are the lengths in grapheme clusters after Unicode normalisation (NFC), and d is the
 * Levenshtein distance on these clusters (insert, delete, replace: one each). Two empty texts are equal.
 * Takes time in proportion to length × distance: for long texts that may differ much, ask
 * `isMoreSimilarThan`, which gives up early.
 */
export function similarity(left: string, right: string): number {
  const [a, b] = clusters(left, right);
  const longest = Math.max(a.length, b.length);
  return ratio(boundedDistance(a, b, longest) ?? longest, longest);
}

/** `similarity(left, right) > threshold`, looking no further than the threshold needs. */
export function isMoreSimilarThan(threshold: number, left: string, right: string): boolean {
  const [a, b] = clusters(left, right);
  const longest = Math.max(a.length, b.length);
  let bound = Math.min(longest, Math.ceil((1 - threshold) * longest) + 1);
  while (bound >= 0 && !(ratio(bound, longest) > threshold)) bound -= 1;
  return bound >= 0 && boundedDistance(a, b, bound) !== undefined;
}

function ratio(distance: number, longest: number): number {
  return longest === 0 ? 1 : 1 - distance / longest;
}

/** Both texts as numbers, one per cluster, the same number for the same cluster. */
function clusters(left: string, right: string): readonly [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const number = (cluster: string): number => {
    const known = numbers.get(cluster);
    if (known !== undefined) return known;
    numbers.set(cluster, numbers.size);
    return numbers.size - 1;
  };
  const encode = (text: string) => Int32Array.from(Array.from(clustersOf(text), number));
  return [encode(left), encode(right)];
}

/** In ASCII each character is a cluster, but for a line end of two; a first segmenter costs 10 ms. */
const oneByOne = /^[^\r\x80-\uffff]*$/;

function clustersOf(text: string): Iterable<string> {
  return oneByOne.test(text) ? text : windowedSegments(graphemes(), text.normalize("NFC"), 256);
}

/**
 * Levenshtein distance if it is at most `bound`, by furthest-reaching points: after e edits, the furthest row
 * that can be reached on each diagonal. Work and memory grow with the distance, not with the area.
 */
function boundedDistance(a: Int32Array, b: Int32Array, bound: number): number | undefined {
  const goal = b.length - a.length;
  if (Math.abs(goal) > bound) return undefined;
  let before = new Int32Array(0);
  for (let edits = 0; edits <= bound; edits += 1) {
    const reached = new Int32Array(2 * edits + 1).fill(-1);
    const lowest = Math.max(-edits, -a.length);
    const highest = Math.min(edits, b.length);
    for (let diagonal = lowest; diagonal <= highest; diagonal += 1) {
      const start = edits === 0 ? 0 : furthestStart(before, diagonal + edits - 1);
      const row = slide(a, b, { diagonal, row: Math.min(start, a.length, b.length - diagonal) });
      if (diagonal === goal && row === a.length) return edits;
      reached[diagonal + edits] = row;
    }
    before = reached;
  }
  return undefined;
}

/** The furthest row that one more edit opens on the diagonal at `index` of the previous round. */
function furthestStart(before: Int32Array, index: number): number {
  const inserted = before[index - 1] ?? -1;
  const replaced = before[index] ?? -1;
  const deleted = before[index + 1] ?? -1;
  return Math.max(inserted, replaced + 1, deleted + 1);
}

function slide(
  a: Int32Array,
  b: Int32Array,
  from: { readonly diagonal: number; readonly row: number },
): number {
  let row = from.row;
  while (row < a.length && a[row] === b[row + from.diagonal]) row += 1;
  return row;
}
