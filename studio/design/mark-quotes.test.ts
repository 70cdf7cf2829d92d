import { describe, expect, it } from "vitest";
import { markQuotes } from "./mark-quotes.ts";

describe("quotes marked in a text", () => {
  it("lose no letter of it, wherever they overlap or are made up", () => {
    const text = "Fall asleep in Hamburg, wake up by the sea.";
    const quotes = ["asleep in Hamburg", "in Hamburg, wake", "not there", "", "the sea."];
    const pieces = markQuotes(text, quotes);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    const marked = pieces.filter(({ kind }) => kind === "marked").map((piece) => piece.text);
    expect(marked).toEqual(["asleep in Hamburg", "the sea."]);
  });
});
