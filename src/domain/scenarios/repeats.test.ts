import { expect, it } from "vitest";
import { describeRepeats, passInterval } from "./repeats.ts";

it.each([
  [0, 4, 0, 0.49],
  [3, 5, 0.231, 0.882],
  [5, 5, 0.566, 1],
  [95, 100, 0.888, 0.978],
])("%i of %i passes with Wilson's interval", (passed, of, from, to) => {
  const interval = passInterval({ passed, of });
  expect(interval.from).toBeCloseTo(from, 3);
  expect(interval.to).toBeCloseTo(to, 3);
});

it("is said in one line", () => {
  expect(describeRepeats({ passed: 3, of: 5 })).toBe("passed 3 of 5 (23–88 %)");
});
