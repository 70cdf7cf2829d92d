import fc from "fast-check";
import { expect, it } from "vitest";
import { validateCoverage } from "./coverage.ts";

it("names what is missing, what was not asked for and what came twice", () => {
  expect(validateCoverage(["a", "b"], ["b", "c", "b"])).toEqual({
    isComplete: false,
    missing: ["a"],
    unexpected: ["c"],
    duplicate: ["b"],
  });
});

it("is complete exactly for a rearrangement of what was asked", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"));
  fc.assert(
    fc.property(names, fc.array(fc.constantFrom("a", "b", "c", "d")), (asked, received) => {
      const same = JSON.stringify([...asked].sort()) === JSON.stringify([...received].sort());
      expect(validateCoverage(asked, received).isComplete).toBe(same);
    }),
  );
});
