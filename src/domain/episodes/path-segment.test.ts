import fc from "fast-check";
import { expect, test } from "vitest";
import { layout } from "./layout.ts";
import { pathSegment, reviewerLabel } from "./path-segment.ts";

test.each([
  [" Jane  Doe! ", "Jane_Doe"],
  ["..x..", "x"],
  ["Ünï", "n"],
  ["run 001:x", "run_001_x"],
])("%j becomes %j", (text, segment) => {
  expect(pathSegment(text)).toBe(segment);
});

test.each(["", "__", "日本", "a/b", "a\\b", "..", "x".repeat(300)])("%j is refused", (text) => {
  expect(() => pathSegment(text)).toThrow();
});

test("any label becomes a file name of its own folder", () => {
  expect(layout.review("slug", 1, "openai/gpt")).toBe(
    "copy/reviews/slug/iteration_01.openai_gpt.json",
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (label) => {
      expect(reviewerLabel(label)).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/);
      expect(reviewerLabel(label).length).toBeLessThanOrEqual(80);
    }),
  );
});

test("numbers are padded and grow beyond the padding", () => {
  expect(layout.protocolIteration("slug", 100)).toBe("copy/protocol/slug/iteration_100.json");
  expect(layout.review("slug", 3)).toBe("copy/reviews/slug/iteration_03.json");
  expect(layout.chunkSummary(12)).toBe("summaries/chunks/chunk_0012.summary.json");
  expect(() => layout.chunkText(0)).toThrow(/not 1 or more/);
  expect(() => layout.protocolIteration("slug", 0)).toThrow(/not 1 or more/);
});
