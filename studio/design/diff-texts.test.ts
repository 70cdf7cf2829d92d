import { describe, expect, it } from "vitest";
import { diffTexts } from "./diff-texts.ts";

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
      { kind: "same", text: "One.\n\n" },
      { kind: "added", text: "New.\n\n" },
      { kind: "same", text: "Two." },
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
