import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";

describe("cleanText", () => {
  it("replaces each half of a pair that stands alone, drops NUL, and leaves all else", () => {
    const unit = fc.constantFrom("a", "é", "“", "🐝", "\ud83d", "\udc1d", "\0", "\n");
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const expected = text.replace(/\p{Surrogate}/gu, "\uFFFD").replaceAll("\0", "");
        expect(cleanText(text)).toBe(expected);
      }),
    );
  });
});
