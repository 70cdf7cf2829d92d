import { describe, expect, it } from "vitest";
import { colourPalette, decidePalette, plainPalette } from "./palette.ts";

describe("decidePalette", () => {
  it.each([
    [{ isTerminal: true }, colourPalette],
    [{ isTerminal: false }, plainPalette],
    [{ isTerminal: true, noColor: "1" }, plainPalette],
    [{ isTerminal: true, noColor: "" }, colourPalette],
    [{ isTerminal: true, noColor: "1", forceColor: "1" }, plainPalette],
    [{ isTerminal: false, forceColor: "1" }, colourPalette],
    [{ isTerminal: false, forceColor: "" }, plainPalette],
    [{ isTerminal: true, forceColor: "0" }, plainPalette],
    [{ isTerminal: true, forceColor: "false" }, plainPalette],
    [{ isTerminal: true, term: "dumb" }, plainPalette],
  ])("%j", (facts, palette) => {
    expect(decidePalette(facts)).toBe(palette);
  });
});

describe("the two palettes", () => {
  it("paint with escapes or not at all", () => {
    expect(colourPalette.paint("removed", "Live")).toBe("\x1B[31m\x1B[9mLive\x1B[29m\x1B[39m");
    expect(plainPalette.paint("removed", "Live")).toBe("Live");
  });
});
