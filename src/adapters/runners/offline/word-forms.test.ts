import { describe, expect, it } from "vitest";
import { capitalised, numberOf, singularOf, stemOf, thirdPerson, tokensOf } from "./word-forms.ts";

describe("word forms", () => {
  it.each([
    ["spare the sea", "spares the sea"],
    ["hush the night", "hushes the night"],
    ["empty every plate", "empties every plate"],
    ["carry half the load", "carries half the load"],
    ["play on", "plays on"],
  ])("inflect %j as %j", (act, inflected) => {
    expect(thirdPerson(act)).toBe(inflected);
  });

  it.each([
    ["bottles", "plural"],
    ["children", "plural"],
    ["glass", "singular"],
    ["bus", "singular"],
    ["app", "singular"],
    ["coffee", "mass"],
    ["walking", "mass"],
    ["building", "singular"],
  ])("take %j for %s", (noun, number) => {
    expect(numberOf(noun)).toBe(number);
  });

  it.each([
    ["bottles", "bottle"],
    ["bakeries", "bakery"],
    ["watches", "watch"],
    ["glass", "glass"],
  ])("make %j one: %j", (noun, one) => {
    expect(singularOf(noun)).toBe(one);
  });

  it("let the forms of a word meet, and no two words", () => {
    expect(new Set(["bottle", "bottles", "bottled"].map(stemOf)).size).toBe(1);
    expect(stemOf("bees")).toBe(stemOf("bee"));
    expect(stemOf("bees")).not.toBe(stemOf("be"));
  });

  it("read words in any script and start a line with a capital", () => {
    expect(tokensOf("Krume’s Brot, бутылки & water-tight!")).toEqual([
      "krume's",
      "brot",
      "бутылки",
      "water-tight",
    ]);
    expect(capitalised("ärger endet")).toBe("Ärger endet");
  });
});
