import fc from "fast-check";
import { expect, test } from "vitest";
import { chunkLimits, chunkTranscript } from "./chunker.ts";

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${index}`).join(" ");

const spans = (text: string, limits = chunkLimits()): number[][] =>
  chunkTranscript(text, limits && { limits }).map((chunk) => [chunk.startToken, chunk.endToken]);

const small = chunkLimits({ maxTokens: 10, overlapTokens: 3, lookbackTokens: 4, minTokens: 6 });

test("whitespace has no chunks and a text at the limit has one", () => {
  expect(chunkTranscript(" \n\t ")).toEqual([]);
  expect(spans(words(1200))).toEqual([[0, 1200]]);
  expect(spans(words(1201))).toEqual([
    [0, 1200],
    [1000, 1201],
  ]);
  expect(spans(words(3000))).toEqual([
    [0, 1200],
    [1000, 2200],
    [2000, 3000],
  ]);
});

test("thirty words in tens with three shared give four chunks", () => {
  const chunks = chunkTranscript(words(30), {
    limits: chunkLimits({ maxTokens: 10, overlapTokens: 3 }),
  });
  expect(chunks).toHaveLength(4);
  expect(chunks[0]?.text.trim().split(/\s+/).slice(-3)).toEqual(
    chunks[1]?.text.trim().split(/\s+/).slice(0, 3),
  );
});

test("a plain full stop ends a sentence, with or without closers behind it", () => {
  for (const end of ["three.", "three!", "three?", "three…", 'three."', "three.”)", "three.»"]) {
    expect(spans(`a b c d e f ${end} h i j k l m n`, small)[0]).toEqual([0, 7]);
  }
  expect(spans("a b c d e f 3.5 h i j k l m n", small)[0]).toEqual([0, 10]);
});

test("an earlier paragraph beats a later sentence, which beats a later line", () => {
  expect(spans("a b c d e f\n\ng h. i j k l m n", small)[0]).toEqual([0, 6]);
  expect(spans("a b c d e f\r\n\r\ng h. i j k l m n", small)[0]).toEqual([0, 6]);
  expect(spans("a b c d e f g. h i\nj k l m n", small)[0]).toEqual([0, 7]);
  expect(spans("a b c d e f g h i\nj k l m n", small)[0]).toEqual([0, 9]);
});

test("the next chunk overlaps from the boundary that was taken, not from the limit", () => {
  expect(spans("a b c d e f\n\ng h i j k l m", small)).toEqual([
    [0, 6],
    [3, 13],
  ]);
});

test("a boundary before the minimum or outside the look-back is not taken", () => {
  expect(spans("a b c d e.\n\nf g h i j k l m n", small)[0]).toEqual([0, 10]);
});

test("limits that cannot work are refused with the reason", () => {
  expect(() => chunkLimits({ maxTokens: 10, overlapTokens: 10 })).toThrow(/overlap/);
  expect(() => chunkLimits({ maxTokens: 10, minTokens: 11, overlapTokens: 1 })).toThrow(/minimum/);
  expect(() => chunkLimits({ maxTokens: 0 })).toThrow(/maximum/);
  expect(() => chunkLimits({ lookbackTokens: -1 })).toThrow(/look-back/);
  expect(() => chunkLimits({ maxTokens: 2.5 })).toThrow(/whole/);
});

test("times come from the marks around a chunk", () => {
  const text = Array.from(
    { length: 6 },
    (_, index) => `00:00:${index}0 Ada: one two three four.`,
  ).join("\n\n");
  const limits = chunkLimits({ maxTokens: 12, overlapTokens: 0, lookbackTokens: 4 });
  const chunks = chunkTranscript(text, { limits, endSec: 62.5 });
  expect(chunks.map((chunk) => [chunk.startSec, chunk.endSec])).toEqual([
    [0, 20],
    [20, 40],
    [40, 62.5],
  ]);
  const unknown = chunkTranscript(text, { limits }).at(-1);
  expect(unknown, "the last chunk ends no earlier than its last mark").toMatchObject({
    endSec: 50,
  });
});

test("every token is in a chunk, chunks advance, overlap and stay within the limit", () => {
  const text = fc
    .array(fc.constantFrom("bread", "rises.", "“Why?”", "\n", "\n\n", "slowly,", "00:01:00"), {
      maxLength: 200,
    })
    .map((parts) => parts.join(" "));
  const limits = fc
    .record({
      maxTokens: fc.integer({ min: 1, max: 30 }),
      share: fc.double({ min: 0, max: 0.99, noNaN: true }),
      lookbackTokens: fc.integer({ min: 0, max: 40 }),
    })
    .map(({ maxTokens, share, lookbackTokens }) =>
      chunkLimits({ maxTokens, lookbackTokens, overlapTokens: Math.floor(maxTokens * share) }),
    );
  fc.assert(
    fc.property(text, limits, (transcript, limit) => {
      const tokens = transcript.split(/\s+/).filter((token) => token !== "");
      const chunks = chunkTranscript(transcript, { limits: limit });
      let covered = 0;
      for (const [index, chunk] of chunks.entries()) {
        expect(chunk.chunkId).toBe(index + 1);
        expect(chunk.startToken).toBeLessThanOrEqual(covered);
        expect(chunk.endToken).toBeGreaterThan(covered);
        expect(chunk.endToken - chunk.startToken).toBeLessThanOrEqual(limit.maxTokens);
        expect(chunk.text.split(/\s+/).filter((token) => token !== "")).toEqual(
          tokens.slice(chunk.startToken, chunk.endToken),
        );
        expect(chunk.endSec ?? Number.POSITIVE_INFINITY).toBeGreaterThan(chunk.startSec ?? -1);
        covered = chunk.endToken;
      }
      expect(covered).toBe(tokens.length);
    }),
  );
});
