import { describe, expect, it } from "vitest";
import { readIds, readIssues, readScore, readVerdict } from "./review-members.ts";

describe("the verdict", () => {
  it.each([
    [{ verdict: "ok" }, "ok"],
    [{ verdict: " Ship - It!! " }, "ok"],
    [{ verdict: "LGTM." }, "ok"],
    [{ verdict: "request  changes" }, "changes_requested"],
    [{ verdict: "not-ready" }, "changes_requested"],
    [{ verdict: "Escalate" }, "needs_human"],
    [{ approved: true }, "ok"],
    [{ approved: false }, "changes_requested"],
    [{ verdict: "", approved: true }, "ok"],
    [{ verdict: "ok", approved: true }, "ok"],
    [{ verdict: "unsure", approved: false }, "needs_human"],
    [{ verdict: "ok", approved: "yes" }, "ok"],
  ])("of %j is %s", (object, verdict) => {
    expect(readVerdict(object)).toBe(verdict);
  });

  it.each([
    [{}, "the JSON object has no verdict"],
    [{ verdict: 1 }, "the JSON object has no verdict"],
    [{ approved: "yes" }, "the JSON object has no verdict"],
    [{ verdict: "ok", approved: false }, '"verdict" and "approved" contradict each other'],
    [{ verdict: "reject", approved: true }, '"verdict" and "approved" contradict each other'],
    [
      { verdict: "perhaps", approved: true },
      'the verdict "perhaps" is none of ok, changes_requested, needs_human',
    ],
    [
      { verdict: "x".repeat(99) },
      `the verdict "${"x".repeat(80)}" is none of ok, changes_requested, needs_human`,
    ],
  ])("of %j cannot be read", (object, error) => {
    expect(readVerdict(object)).toEqual({ error });
  });
});

describe("issues", () => {
  it.each([
    [undefined, []],
    [null, []],
    ["Vague", undefined],
    [{ message: "Vague" }, undefined],
    [[null, "", "Vague"], [{ severity: "error", message: "Vague" }]],
    [[7], [{ severity: "error", message: "7" }]],
    [[{}], [{ severity: "error", message: "{}" }]],
    [[{ severity: " Nit ", text: "Vague" }], [{ severity: "warning", message: "Vague" }]],
    [[{ severity: "blocker", issue: "Vague" }], [{ severity: "error", message: "Vague" }]],
    [
      [{ comment: "Vague", code: "c", field: "content", quote: "Green", other: "x" }],
      [{ severity: "error", message: "Vague", code: "c", field: "content", quote: "Green" }],
    ],
    [[{ message: "", description: "Long" }], [{ severity: "error", message: "Long" }]],
  ])("of %j", (value, issues) => {
    expect(readIssues(value)).toEqual(issues);
  });
});

it.each([
  [undefined, []],
  [null, []],
  ["i-1", undefined],
  [
    ["i-1", "", 7, null, { issue_id: "i-2" }, { id: "i-3" }, { name: "i-4" }],
    ["i-1", "i-2", "i-3"],
  ],
])("the ids in %j", (value, ids) => {
  expect(readIds(value)).toEqual(ids);
});

it.each([
  [7, 7],
  ["7", 7],
  [" -7.25 ", -7.25],
  ["123456789.5", 123456789.5],
  ["1.123456789", 1.123456789],
  ["1234567890", undefined],
  ["1.1234567890", undefined],
  ["7/10", undefined],
  ["about 7", undefined],
  ["", undefined],
  ["7.", undefined],
  [true, undefined],
  [null, undefined],
  [undefined, undefined],
  [Number.POSITIVE_INFINITY, undefined],
])("the score %j is %j", (value, score) => {
  expect(readScore(value)).toBe(score);
});
