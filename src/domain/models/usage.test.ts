import { describe, expect, it } from "vitest";
import { readUsage } from "./usage.ts";

describe("readUsage", () => {
  it("takes whole numbers in a plausible range", () => {
    const usage = { input: 20, output: 0, cachedInput: 20, microUsd: 12 };
    expect(readUsage(usage)).toEqual(usage);
    expect(readUsage({ input: 1, output: 2 })).toEqual({ input: 1, output: 2 });
  });

  it.each([
    [undefined],
    [null],
    ["12"],
    [{ input: 20 }],
    [{ input: 1.5, output: 5 }],
    [{ input: -20, output: 5 }],
    [{ input: 20, output: 4e18 }],
    [{ input: Number.NaN, output: 5 }],
    [{ input: Number.POSITIVE_INFINITY, output: 5 }],
    [{ input: "20", output: 5 }],
  ])("takes %j for unknown", (given) => {
    expect(readUsage(given)).toBeUndefined();
  });

  it("drops a cached part larger than the whole and a price that cannot be", () => {
    const tokens = { input: 20, output: 5 };
    expect(readUsage({ ...tokens, cachedInput: 21, microUsd: -1 })).toEqual(tokens);
    expect(readUsage({ ...tokens, cachedInput: -1, microUsd: 1e300 })).toEqual(tokens);
  });
});
