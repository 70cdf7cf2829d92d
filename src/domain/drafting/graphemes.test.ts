import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemesOf } from "./graphemes.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

describe("graphemesOf", () => {
  it("finds the same clusters as one look at the whole text", () => {
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
        expect([...graphemesOf(text)]).toEqual(whole);
      }),
    );
  });

  it("keeps a letter under a tower of a thousand accents in one piece", () => {
    const tower = `a${"\u0301".repeat(1000)}`;
    expect([...graphemesOf(`${tower}b`)]).toEqual([tower, "b"]);
  });
});
