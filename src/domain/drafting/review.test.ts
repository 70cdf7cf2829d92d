import { expect, it } from "vitest";
import { type RaisedIssue, statesError } from "./review.ts";

it.each<[string, readonly RaisedIssue[], boolean]>([
  ["an error", [{ severity: "error", message: "a" }], true],
  ["an error with a code", [{ severity: "error", message: "a", code: "vague" }], true],
  ["prose", [{ severity: "error", message: "a", code: "feedback" }], false],
  ["a warning", [{ severity: "warning", message: "a" }], false],
  ["nothing", [], false],
])("%s states an error or not", (_, issues, expected) => {
  expect(statesError({ issues })).toBe(expected);
});
