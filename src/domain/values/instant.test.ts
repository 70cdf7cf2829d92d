import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantFromMillis, millisOf, secondsBetween } from "./instant.ts";

describe("instantFromMillis", () => {
  it("is read back as the same moment, whatever instants were made before", () => {
    const year = 365 * 24 * 3_600_000;
    const apart = fc.oneof(fc.integer({ min: -2_500, max: 2_500 }), fc.integer({ max: year }));
    fc.assert(
      fc.property(fc.array(apart, { minLength: 2 }), (steps) => {
        let millis = 0;
        for (const step of steps) {
          millis += step;
          const at = instantFromMillis(millis);
          expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
          expect(millisOf(at)).toBe(millis);
        }
      }),
    );
  });

  it("leaves parts of a millisecond out, before 1970 too", () => {
    expect(instantFromMillis(7.9)).toBe("1970-01-01T00:00:00.007Z");
    expect(instantFromMillis(1_000.4)).toBe("1970-01-01T00:00:01.000Z");
    expect(instantFromMillis(-0.5)).toBe("1970-01-01T00:00:00.000Z");
    expect(instantFromMillis(-1.5)).toBe("1969-12-31T23:59:59.999Z");
  });

  it("refuses what is no time, also behind one that is", () => {
    expect(instantFromMillis(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(() => instantFromMillis(Number.NaN)).toThrow(RangeError);
    expect(() => instantFromMillis(Number.POSITIVE_INFINITY)).toThrow(RangeError);
    expect(() => instantFromMillis(9e15)).toThrow(RangeError);
    expect(instantFromMillis(1)).toBe("1970-01-01T00:00:00.001Z");
  });
});

describe("secondsBetween", () => {
  it("counts parts of a second", () => {
    expect(secondsBetween(instantFromMillis(1_750), instantFromMillis(3_000))).toBe(1.25);
  });
});
