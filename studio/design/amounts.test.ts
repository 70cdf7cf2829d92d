import { describe, expect, it } from "vitest";
import { characters, cost, figure, money, tokens } from "./amounts.ts";

describe("totals of calls", () => {
  it.each([
    [{ micro_usd: null, unpriced: 2 }, "cost unknown"],
    [{ micro_usd: 1_200_000, unpriced: 1 }, "at least $1.20"],
    [{ micro_usd: 1_200_000, unpriced: 0 }, "$1.20"],
    [{ micro_usd: 0, unpriced: 0 }, "$0"],
  ])("%j cost %s", (spent, words) => {
    expect(cost(spent)).toBe(words);
  });

  it.each([
    [null, 2, "unknown"],
    [1_200_000, 1, "≥ $1.20"],
    [0, 0, "$0"],
  ])("%s without %s calls is %s in a cell", (known, missing, words) => {
    expect(figure(known, missing, money)).toBe(words);
  });

  it.each([
    [{ tokens: null, uncounted: 2 }, "tokens unknown"],
    [{ tokens: 1_340, uncounted: 1 }, "at least 1,340 tokens"],
    [{ tokens: 1, uncounted: 0 }, "1 token"],
  ])("%j are %s", (spent, words) => {
    expect(tokens(spent)).toBe(words);
  });
});

it("counts a sign outside the basic plane as one character", () => {
  expect(["", "Brötchen", "🥐 und 🥖", "\uD83E"].map(characters)).toEqual([0, 8, 7, 1]);
});
