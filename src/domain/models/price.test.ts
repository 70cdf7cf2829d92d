import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant } from "../values/instant.ts";
import { parseModelName } from "./model-name.ts";
import { costOf, type Price, priceOf } from "./price.ts";

const at = instant("2026-06-01T10:00:00.000Z");
const prices: readonly Price[] = [
  { model: "openai/gpt-4o", from: "2025-01-01", input: 5_000_000, output: 15_000_000 },
  {
    model: "openai/gpt-4o",
    from: "2026-01-01",
    input: 2_500_000,
    output: 10_000_000,
    cachedInput: 1_250_000,
  },
  { model: "openai/gpt-4o", from: "2027-01-01", input: 1, output: 1 },
  { model: "openai/gpt-4o-2024-08-06", from: "2025-06-01", input: 3_000_000, output: 12_000_000 },
];
const gpt = parseModelName("openai/gpt-4o");

describe("costOf", () => {
  it("takes the price of the day", () => {
    expect(costOf(gpt, { input: 1_000, output: 200 }, { prices, at })).toBe(2_500 + 2_000);
    const before = instant("2025-12-31T23:59:59.999Z");
    expect(costOf(gpt, { input: 1_000, output: 200 }, { prices, at: before })).toBe(5_000 + 3_000);
  });

  it("charges input from the provider's cache at its own price", () => {
    const tokens = { input: 1_000, output: 0, cachedInput: 800 };
    expect(costOf(gpt, tokens, { prices, at })).toBe(500 + 1_000);
  });

  it("charges cached input in full where no price is stated for it", () => {
    const dated = parseModelName("openai/gpt-4o-2024-08-06");
    expect(costOf(dated, { input: 1_000, output: 0, cachedInput: 1_000 }, { prices, at })).toBe(
      3_000,
    );
  });

  it("says unknown, not 0, for a model without a price or with one that is not yet valid", () => {
    expect(
      costOf(parseModelName("openai/other"), { input: 1, output: 1 }, { prices, at }),
    ).toBeUndefined();
    const early = instant("2020-01-01T00:00:00.000Z");
    expect(costOf(gpt, { input: 1, output: 1 }, { prices, at: early })).toBeUndefined();
  });

  it("charges a program only what the project says it costs", () => {
    const claude = parseModelName("command/claude");
    const own = [{ model: "command/claude", from: "2026-01-01", input: 1_000_000, output: 0 }];
    expect(costOf(claude, { input: 9, output: 9 }, { prices, at })).toBe(0);
    expect(costOf(claude, { input: 9, output: 9 }, { prices: own, at })).toBe(9);
  });

  it("costs nothing to ask what runs here", () => {
    for (const name of ["mistral", "offline/rules", "script:replies.json"]) {
      expect(costOf(parseModelName(name), { input: 9_999, output: 9_999 }, { prices, at })).toBe(0);
    }
  });

  it("rounds up, so that a budget is never overrun by fractions", () => {
    expect(costOf(gpt, { input: 1, output: 0 }, { prices, at })).toBe(3);
  });

  it("never charges less for more tokens, nor more for cached ones", () => {
    const count = fc.nat({ max: 5_000_000 });
    fc.assert(
      fc.property(count, count, count, (input, output, cachedInput) => {
        const cost = (more: number, cached: number) =>
          costOf(gpt, { input: input + more, output, cachedInput: cached }, { prices, at }) ??
          Number.NaN;
        expect(cost(1, 0)).toBeGreaterThanOrEqual(cost(0, 0));
        expect(cost(0, cachedInput)).toBeLessThanOrEqual(cost(0, 0));
        expect(Number.isSafeInteger(cost(0, cachedInput))).toBe(true);
      }),
    );
  });
});

describe("priceOf", () => {
  it("prefers the most exact name, and prices a dated id by its family", () => {
    expect(priceOf("openai/gpt-4o-2024-08-06", { prices, at })?.input).toBe(3_000_000);
    expect(priceOf("openai/gpt-4o-2024-11-20", { prices, at })?.input).toBe(2_500_000);
    expect(priceOf("openai/gpt-4o-mini", { prices, at })).toBeUndefined();
  });
});
