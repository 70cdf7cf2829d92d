import { describe, expect, it } from "vitest";
import { markQuotes } from "./mark-quotes.ts";

describe("quotes marked in a text", () => {
  it("lose no letter of it, wherever they overlap or are made up", () => {
    const text = "Fall asleep in Hamburg, wake up by the sea.";
    const quotes = ["asleep in Hamburg", "in Hamburg, wake", "not there", "", "the sea."];
    const stretches = markQuotes(text, quotes);
    expect(stretches.map((stretch) => stretch.text).join("")).toBe(text);
    const marked = stretches.filter(({ isMarked }) => isMarked).map((stretch) => stretch.text);
    expect(marked).toEqual(["asleep in Hamburg", "the sea."]);
  });
});
