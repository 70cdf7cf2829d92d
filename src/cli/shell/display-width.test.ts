import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToWidth, displayWidth, padToWidth } from "./display-width.ts";

describe("displayWidth", () => {
  it.each([
    ["Hydrate Green", 13],
    ["Чистая вода", 11],
    ["e\u0301lan", 4],
    ["漢字", 4],
    ["ｗｉｄｅ", 8],
    ["ﾊﾝｶｸ", 4],
    ["한글", 4],
    ["\u1112\u1161\u11AB", 2],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["☀️", 2],
    ["", 0],
  ])("%s takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("cutToWidth", () => {
  it.each([
    ["Hydrate Green, Live Clean", 14, "Hydrate Green…"],
    ["Hydrate Green", 13, "Hydrate Green"],
    ["Hydrate Green", 9, "Hydrate…"],
    ["漢字漢字", 6, "漢字…"],
    ["漢字漢字", 7, "漢字漢…"],
    ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
    ["Green", 0, ""],
  ])("cuts %s to %i columns", (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
  });

  it("never takes more columns than it was given", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it("cuts ten megabytes without reading them all", () => {
    expect(cutToWidth("水".repeat(5_000_000), 5)).toBe("水水…");
  });
});

describe("padToWidth", () => {
  it("fills up by columns, not by characters", () => {
    expect(padToWidth("漢字", 6)).toBe("漢字  ");
    expect(padToWidth("longer", 3)).toBe("longer");
  });
});
