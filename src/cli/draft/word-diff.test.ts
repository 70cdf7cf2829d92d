import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layOut } from "../shell/lay-out.ts";
import { colourPalette, plainPalette } from "../shell/palette.ts";
import { diffDrafts } from "./word-diff.ts";

function plainDiff(before: string, after: string): string {
  const diff = diffDrafts(before, after, plainPalette);
  if (diff.kind !== "changed") return diff.kind;
  return layOut(diff.spans, { width: Number.POSITIVE_INFINITY, palette: plainPalette }).join("\n");
}

describe("diffDrafts", () => {
  it.each([
    ["Hydrate Green", "Hydrate Green", "same"],
    ["Hydrate Green", "Pure water, zero waste", "rewritten"],
    [
      "Hydrate Green, Live Clean",
      "Hydrate Green, Save Our Seas",
      "Hydrate Green, [-Live Clean-] {+Save Our Seas+}",
    ],
    ["Hydrate Green", "Hydrate Green every day", "Hydrate Green {+every day+}"],
    [
      "Чистая вода каждый день",
      "Чистая вода каждую неделю",
      "Чистая вода [-каждый день-] {+каждую неделю+}",
    ],
  ])("compares %j with %j word by word", (before, after, expected) => {
    expect(plainDiff(before, after)).toBe(expected);
  });

  it("cuts plain words where it cuts all others", () => {
    const piece = fc.constantFrom(
      ...[
        "water",
        "Don't",
        "v2",
        "3.14",
        "1,000",
        "a_b",
        "00:00",
        "x:y",
        "e.g.",
        "...",
        "--",
        "'",
        '"',
      ],
      ...[",", ";", ".", ":", "(", ")", "/", "#", "*", "`", " ", " ", "  ", "\n", "\n\n", "\t"],
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const plain = plainDiff(`${before} End`, `${after} End`);
        expect(plainDiff(`${before} Énd`, `${after} Énd`).replaceAll("Énd", "End")).toBe(plain);
      }),
      { numRuns: 1_000 },
    );
  });

  it("shortens long stretches that did not change", () => {
    const stretch = "The river runs to the sea. ".repeat(40);
    const diff = plainDiff(`First day. ${stretch}Last day.`, `First week. ${stretch}Last week.`);
    expect(diff).toMatch(
      /^First \[-day-\] \{\+week\+\}\. The river .*….* sea\. Last \[-day-\] \{\+week\+\}\.$/,
    );
    expect(diff.length).toBeLessThan(220);
  });

  it("strikes out by colour where there is colour", () => {
    const diff = diffDrafts("Live Clean", "Live Green", colourPalette);
    expect(diff.kind === "changed" && diff.spans.filter(({ text }) => text.trim() !== "")).toEqual([
      { text: "Live " },
      { text: "Clean", style: "removed" },
      { text: "Green", style: "added" },
    ]);
  });

  it("compares what is shown, not what is hidden in it", () => {
    expect(plainDiff("Hydrate \x1B[31mGreen", "Hydrate Green")).toBe("same");
  });

  it("gives up on texts too long to compare word by word", () => {
    const long = "water ".repeat(1_000_000);
    expect(plainDiff(long, `${long}bottle`)).toBe("rewritten");
    const numbers = (from: number) => Array.from({ length: 4_000 }, (_, at) => from + at).join(" ");
    expect(plainDiff(numbers(0), numbers(100_000))).toBe("rewritten");
  });
});
