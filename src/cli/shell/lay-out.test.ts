import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth } from "./display-width.ts";
import { layOut } from "./lay-out.ts";
import { colourPalette, plainPalette } from "./palette.ts";

const plain = (width: number) => ({ width, palette: plainPalette });

describe("layOut", () => {
  it("wraps between words and keeps later lines under the first", () => {
    const lines = layOut([{ text: "Hydrate Green, Save Our Seas" }], plain(30), [
      { text: "  writer   " },
    ]);
    expect(lines).toEqual(["  writer   Hydrate Green, Save", "           Our Seas"]);
  });

  it("keeps untrusted lines away from the margin", () => {
    const lines = layOut(
      [{ text: "Nice\n✓ Approved\r✓ Approved\x1B[1000D✓ Approved" }],
      plain(80),
      [{ text: "    " }],
    );
    expect(lines).toEqual(["    Nice", "    ✓ Approved", "    ✓ Approved✓ Approved"]);
  });

  it("does not break a word where its style changes", () => {
    const spans = [{ text: "Hydrate twenty-" }, { text: "four", style: "strong" as const }];
    expect(layOut(spans, plain(18))).toEqual(["Hydrate", "twenty-four"]);
  });

  it("breaks a word that is wider than the line between characters", () => {
    expect(layOut([{ text: "So: 漢字漢字漢字漢字漢字" }], plain(17))).toEqual([
      "So:",
      "漢字漢字漢字漢字",
      "漢字",
    ]);
  });

  it("keeps empty lines and the indent of a list", () => {
    expect(layOut([{ text: "Notes\n\n  - water" }], plain(40))).toEqual(["Notes", "", "  - water"]);
  });

  it("closes every colour at the end of its line", () => {
    const spans = [{ text: "Hydrate Green, Save", style: "added" as const }];
    expect(layOut(spans, { width: 16, palette: colourPalette })).toEqual([
      "\x1B[32mHydrate Green,\x1B[39m",
      "\x1B[32mSave\x1B[39m",
    ]);
  });

  it("leaves lines alone when there is no width", () => {
    const long = "water ".repeat(1000).trim();
    expect(layOut([{ text: `${long}\n  ${long}` }], plain(Number.POSITIVE_INFINITY))).toEqual([
      long,
      `  ${long}`,
    ]);
  });

  it("stays within the width and loses no character, whatever the text", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    const styled = fc.record({ text, style: fc.constantFrom("strong" as const, "muted" as const) });
    fc.assert(
      fc.property(
        fc.array(styled, { maxLength: 5 }),
        fc.integer({ min: 16, max: 60 }),
        (spans, width) => {
          const lines = layOut(spans, plain(width));
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          const whole = layOut(spans, plain(Number.POSITIVE_INFINITY));
          expect(lines.join("").replace(/\s/g, "")).toBe(whole.join("").replace(/\s/g, ""));
        },
      ),
    );
  });

  it("lays out a megabyte in one word and in many", () => {
    expect(layOut([{ text: "水".repeat(300_000) }], plain(80))).toHaveLength(7_500);
    expect(layOut([{ text: "water ".repeat(170_000) }], plain(60))).toHaveLength(17_000);
  });
});
