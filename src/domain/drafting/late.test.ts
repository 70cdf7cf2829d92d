import { describe, expect, it } from "vitest";
import { isLate } from "./late.ts";
import type { RaisedIssue } from "./review.ts";

const dull: RaisedIssue = { severity: "error", message: "Dull.", quote: "about bees" };
const before = "We talk about bees. Then about honey.";
const now = "We talk about bees. Then about wax.";

describe("isLate", () => {
  it("marks an error about words that stood in the text before", () => {
    expect(isLate(dull, { before, now })).toBe(true);
    expect(isLate({ ...dull, quote: " about\n  bees " }, { before, now })).toBe(true);
  });

  it("marks any error when the text did not change, quote or not", () => {
    const { quote: _, ...unquoted } = dull;
    expect(isLate(unquoted, { before, now: `${before}\n` })).toBe(true);
    expect(isLate(unquoted, { before, now })).toBe(false);
  });

  it("never marks an error about new words", () => {
    expect(isLate({ ...dull, quote: "about wax" }, { before, now })).toBe(false);
    expect(isLate({ ...dull, quote: "about honey" }, { before, now })).toBe(false);
    expect(isLate({ ...dull, quote: "  " }, { before, now })).toBe(false);
  });

  it("never marks a warning", () => {
    expect(isLate({ ...dull, severity: "warning" }, { before, now })).toBe(false);
  });
});
