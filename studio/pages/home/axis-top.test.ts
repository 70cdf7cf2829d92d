import { expect, it } from "vitest";
import { axisTop } from "./axis-top.ts";

it.each([
  [0, 10],
  [10, 10],
  [11, 20],
  [34_000, 50_000],
  [51_000, 100_000],
  [2_000_000, 2_000_000],
])("an axis for amounts up to %s ends at %s", (most, top) => {
  expect(axisTop(most, 10)).toBe(top);
});
