import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultRetryPolicy, retryDelay } from "./retry-delay.ts";

describe("retryDelay", () => {
  it("doubles from the base, with the upper half left to chance", () => {
    const at = (attempt: number, chance: number) =>
      retryDelay(defaultRetryPolicy, { attempt }, () => chance);
    expect([at(1, 0), at(2, 0), at(3, 0)]).toEqual([1_000, 2_000, 4_000]);
    expect(at(1, 0.5)).toBe(1_500);
    expect(at(30, 0.999_999)).toBe(60_000);
  });

  it("is never shorter than the provider asked for and never negative", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, retryAfterMs, chance) => {
          const delay = retryDelay(defaultRetryPolicy, { attempt, retryAfterMs }, () => chance);
          expect(delay).toBeGreaterThanOrEqual(retryAfterMs);
          expect(delay).toBeLessThanOrEqual(Math.max(retryAfterMs, defaultRetryPolicy.mostMs));
        },
      ),
    );
  });
});
