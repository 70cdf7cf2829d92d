import { describe, expect, it } from "vitest";
import { blocksOf, diffTexts } from "./diff-texts.ts";

const sides = (before: string, after: string) => {
  const changes = diffTexts(before, after);
  const join = (without: string): string =>
    changes.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join("");
  return { before: join("added"), after: join("removed") };
};

describe("the differences of two texts", () => {
  it("are none for equal texts", () => {
    expect(diffTexts("Bread.\n\nRolls.", "Bread.\n\nRolls.")).toEqual([]);
  });

  it("are words inside a paragraph, and leave other paragraphs whole", () => {
    const changes = diffTexts("Bread at nine.\n\nRolls at six.", "Bread at ten.\n\nRolls at six.");
    expect(changes.filter(({ kind }) => kind === "removed").map(({ text }) => text)).toEqual([
      "nine",
    ]);
    expect(changes.at(-1)).toMatchObject({ kind: "same", text: "Rolls at six." });
  });

  it("name a paragraph that was added or removed", () => {
    expect(diffTexts("One.\n\nTwo.", "One.\n\nNew.\n\nTwo.")).toEqual([
      { kind: "same", text: "One.\n\n", at: 0 },
      { kind: "added", text: "New.\n\n", at: 1 },
      { kind: "same", text: "Two.", at: 2 },
    ]);
  });

  it("come paragraph by paragraph for the page", () => {
    const blocks = blocksOf(diffTexts("One.\n\nTwo.", "One.\n\nNew.\n\nTwo."));
    expect(blocks.map((block) => block.map(({ text }) => text).join(""))).toEqual([
      ...["One.\n\n", "New.\n\n", "Two."],
    ]);
  });

  it.each([
    ["", "All new."],
    ["All gone.", ""],
    ["a\n\nb\n\nc", "c\n\nb\n\na"],
    ["x".repeat(70_000), `${"y".repeat(70_000)}\n\nend`],
  ])("always add up to both texts (%#)", (before, after) => {
    expect(sides(before, after)).toEqual({ before, after });
  });
});
