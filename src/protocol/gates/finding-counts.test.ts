import { expect, it } from "vitest";
import { readCounts } from "./finding-counts.ts";

it.each([
  ["No WARN, two INFO.", "pass"],
  ["**0 findings**", "pass"],
  ["zero issues", "pass"],
  ["no errors or warnings", "pass"],
  ["one error and no warnings", "fail"],
  ["no warnings and one error", "fail"],
  ["2 warnings", "warn"],
  ["1 warn / 1 fail; 3 ok", "fail"],
  ["1 fail, 1 warn", "fail"],
  ["ten problems noted", "warn"],
  ["1 warn findings found", "warn"],
  ["9999 failures", "fail"],
  ["(no violations)", "pass"],
  ["no warn,", "pass"],
  [", no warn", "pass"],
] as const)("%j comes to %s", (text, counted) => {
  expect(readCounts(text)).toBe(counted);
});

it.each([
  "",
  " ** ",
  ",",
  "warnings",
  "warnings, 2 errors",
  "10000 errors",
  "eleven errors",
  "no errors here",
  "2 errors, see below",
  `no warn${" ".repeat(120)}`,
])("%j is no count", (text) => {
  expect(readCounts(text)).toBeUndefined();
});

it("looks at 120 characters and no more", () => {
  const text = `no ${" ".repeat(113)}warn`;
  expect(text).toHaveLength(120);
  expect(readCounts(text)).toBe("pass");
  expect(readCounts(` ${text}`)).toBeUndefined();
});
