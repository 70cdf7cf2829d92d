import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMoreSimilarThan, similarity } from "./similarity.ts";

/** The textbook table, to compare with. */
function textbookDistance(a: readonly string[], b: readonly string[]): number {
  let row = b.map((_, index) => index + 1);
  row.unshift(0);
  a.forEach((left, i) => {
    const next = [i + 1];
    b.forEach((right, j) => {
      next.push(Math.min(row[j]! + (left === right ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    });
    row = next;
  });
  return row[b.length]!;
}

const sloganLetters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 24 });

describe("similarity", () => {
  it("is one minus the distance over the longer length", () => {
    expect(similarity("kitten", "sitting")).toBe(1 - 3 / 7);
    expect(similarity("", "sea")).toBe(0);
    expect(similarity("", "")).toBe(1);
  });

  it("counts a family emoji or a letter with its accent as one", () => {
    expect(similarity("👨‍👩‍👧‍👦 sea", "🐳 sea")).toBe(1 - 1 / 5);
    expect(similarity("e\u0301clair", "\u00e9clair")).toBe(1);
  });

  it("splits ASCII into the same clusters as any other text, also at CRLF", () => {
    const clusters = (text: string) =>
      Array.from(new Intl.Segmenter("en").segment(text), ({ segment }) => segment);
    const ascii = fc.array(fc.constantFrom("\r\n", "\r", "\n", "\t", "\0", "\x7f", "a", " ", "~"));
    fc.assert(
      fc.property(ascii, ascii, (leftParts, rightParts) => {
        const [left, right] = [leftParts.join(""), rightParts.join("")];
        const [a, b] = [clusters(left), clusters(right)];
        const longest = Math.max(a.length, b.length);
        const expected = longest === 0 ? 1 : 1 - textbookDistance(a, b) / longest;
        expect(similarity(left, right)).toBe(expected);
      }),
    );
  });

  it("agrees with the textbook table and is symmetric", () => {
    fc.assert(
      fc.property(sloganLetters, sloganLetters, (left, right) => {
        const longest = Math.max(left.length, right.length);
        const expected = longest === 0 ? 1 : 1 - textbookDistance([...left], [...right]) / longest;
        expect(similarity(left, right)).toBe(expected);
        expect(similarity(right, left)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("isMoreSimilarThan", () => {
  it("says the same as the full comparison for every threshold", () => {
    const threshold = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0.95));
    fc.assert(
      fc.property(threshold, sloganLetters, sloganLetters, (limit, left, right) => {
        expect(isMoreSimilarThan(limit, left, right)).toBe(similarity(left, right) > limit);
      }),
      { numRuns: 500 },
    );
  });

  it("does not call exactly 95 percent more than 95 percent", () => {
    const slogan = "Hydrate Green, Live!";
    expect(slogan).toHaveLength(20);
    expect(isMoreSimilarThan(0.95, slogan, "Hydrate Green, Live?")).toBe(false);
    expect(isMoreSimilarThan(0.95, `${slogan}!`, "Hydrate Green, Live!?")).toBe(true);
  });

  it("judges texts of a hundred thousand characters that differ in a few thousand places", () => {
    const episode = Array.from({ length: 100_000 }, (_, i) =>
      String.fromCharCode(97 + ((i * 7919 + ((i * i) % 104_729)) % 26)),
    );
    const edited = episode.map((letter, i) => (i % 21 === 0 ? "#" : letter));
    const rewritten = episode.map((letter, i) => (i % 19 === 0 ? "#" : letter));
    expect(isMoreSimilarThan(0.95, episode.join(""), edited.join(""))).toBe(true);
    expect(isMoreSimilarThan(0.95, episode.join(""), rewritten.join(""))).toBe(false);
  });
});
