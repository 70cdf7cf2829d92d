import { describe, expect, it } from "vitest";
import { blocksOf, type TextBlock } from "./text-blocks.ts";

const same = (text: string) => ({ kind: "same" as const, text });
const textOf = ({ pieces }: TextBlock): string => pieces.map(({ text }) => text).join("");

describe("the blocks of a text", () => {
  it("are its paragraphs, with what is shown in another way in its place", () => {
    const blocks = blocksOf([same("One. "), { kind: "marked", text: "Two.\n\nThree" }, same("!")]);
    expect(blocks.map(({ pieces }) => pieces.map(({ kind, text }) => `${kind} ${text}`))).toEqual([
      ["same One. ", "marked Two.\n\n"],
      ["marked Three", "same !"],
    ]);
  });

  it("are several for a paragraph that is a whole text", () => {
    const long = "bread and rolls ".repeat(1_000);
    const blocks = blocksOf([same(long), same("at nine")]);
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThanOrEqual(4_000);
    expect(blocks.map(textOf).join("")).toBe(`${long}at nine`);
  });

  it("are several for a paragraph in which every word changed", () => {
    const blocks = blocksOf(Array.from({ length: 1_000 }, () => same("bread ")));
    expect(blocks.map(({ pieces }) => pieces.length)).toEqual([300, 300, 300, 100]);
  });
});
