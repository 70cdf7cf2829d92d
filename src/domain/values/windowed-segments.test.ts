import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowedSegments } from "./windowed-segments.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

describe("windowedSegments", () => {
  it("finds the same segments as one look at the whole text", () => {
    const unit = fc.constantFrom(
      "a",
      "\r",
      "\n",
      "e\u0301",
      "\u0301",
      "👨‍👩‍👧‍👦",
      "🇩",
      "🇪",
      "\ud83d",
      "ж",
    );
    fc.assert(
      fc.property(fc.string({ unit, minLength: 200, maxLength: 900 }), (text) => {
        const whole = Array.from(segmenter.segment(text), ({ segment }) => segment);
        expect([...windowedSegments(segmenter, text, 256)]).toEqual(whole);
      }),
    );
  });

  it("keeps a letter under a tower of a thousand accents in one piece", () => {
    const tower = `a${"\u0301".repeat(1000)}`;
    expect([...windowedSegments(segmenter, `${tower}b`, 256)]).toEqual([tower, "b"]);
  });
});
