import { describe, expect, it } from "vitest";
import { readBudget } from "./budget-flag.ts";

describe("a budget on the command line", () => {
  it.each([
    ["0.50usd", { microUsd: 500_000 }],
    ["$5", { microUsd: 5_000_000 }],
    ["20000tokens, 90s", { tokens: 20_000, seconds: 90 }],
    ["2 min", { seconds: 120 }],
  ])("is read: %s", (text, budget) => {
    expect(readBudget(text)).toEqual(budget);
  });

  it.each(["", "0", "-1", "1e9", "huge", "0.5tokens", "0.0000001usd", "999999999999999999"])(
    "is refused when it cannot be kept: %j",
    (text) => {
      expect(() => readBudget(text)).toThrow(`The budget "${text}" cannot be read.`);
    },
  );
});
