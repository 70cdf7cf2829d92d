import { describe, expect, it } from "vitest";
import { atLeast, sumOf } from "./known-amounts.ts";

describe("a total", () => {
  it.each([
    [[], 0],
    [[3, 4], 7],
    [[3, undefined], undefined],
    [[0, undefined], undefined],
  ])("of %j is %s", (amounts, sum) => {
    expect(sumOf(amounts)).toBe(sum);
  });

  it.each([
    [0, 0, 0],
    [5, 0, 5],
    [5, 2, 5],
    [0, 2, undefined],
  ])("of %s that lacks %s calls is at least %s", (sum, missing, known) => {
    expect(atLeast(sum, missing)).toBe(known);
  });
});
