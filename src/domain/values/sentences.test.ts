import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "./sentences.ts";

describe("sentencesOf", () => {
  it("splits at full stops, question and exclamation marks", () => {
    expect(sentencesOf("We talk about bees. Why now? Listen!")).toEqual([
      "We talk about bees.",
      "Why now?",
      "Listen!",
    ]);
  });

  it("does not split at titles, initials, numbers and short forms", () => {
    expect(sentencesOf("Dr. Weber and J. R. Moss met. Version 3.5 is out.")).toHaveLength(2);
    expect(sentencesOf("Wir reden über Bienen, z. B. Hummeln. Danach über Honig.")).toHaveLength(2);
  });

  it("reads on over a wrapped line but not over a blank one, a list item or a heading", () => {
    expect(sentencesOf("We talk\nabout bees.")).toEqual(["We talk about bees."]);
    expect(sentencesOf("# Bees\nWe talk\n\nand listen\n- honey\n- wax")).toEqual([
      "# Bees",
      "We talk",
      "and listen",
      "- honey",
      "- wax",
    ]);
  });

  it("counts no sentence in marks and emoji alone", () => {
    expect(sentencesOf("Bees! 🐝 ...")).toEqual(["Bees!"]);
    expect(sentencesOf(" \n ")).toEqual([]);
  });

  it("splits where people would, in English and German", () => {
    expect(
      sentencesOf(
        "Dr. Bell bakes. “Really?” Yes! It costs 3.50 euros, e.g. on Mondays. Seven loaves.",
      ),
    ).toEqual([
      "Dr. Bell bakes.",
      "“Really?”",
      "Yes!",
      "It costs 3.50 euros, e.g. on Mondays.",
      "Seven loaves.",
    ]);
    expect(sentencesOf("Am 3. März backen wir z.B. Brot. Das geht so.")).toEqual([
      "Am 3. März backen wir z.B. Brot.",
      "Das geht so.",
    ]);
  });

  it("ends a sentence exactly where the segmenter does, whatever stands around its marks", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
    const unit = fc.constantFrom(
      ...["bee", "Bee", "BEE", "7", ".", "!", "?", "...", " ", "  ", "\t", "\u00a0", ",", ":", "-"],
      ...[
        "(",
        ")",
        '"',
        "'",
        "”",
        "…",
        "。",
        "éé",
        "ÉÉ",
        "\u0301",
        "\u200d",
        "\u0085",
        "\ufeff",
        "🐝",
        "中文",
      ],
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        const text = `bees ${units.join("")} bees`;
        const cut = Array.from(segmenter.segment(text), ({ segment }) => segment.trim());
        expect(sentencesOf(text)).toEqual(cut.filter((part) => /[\p{L}\p{N}]/u.test(part)));
      }),
      { numRuns: 2_000 },
    );
  });
});
