import { expect, it } from "vitest";
import { parseReview } from "./parse-review.ts";
import { readResult } from "./read-result.ts";

const form = { code: "abcdefghjk", takesUncoded: true };
const warn = { severity: "warn", message: "Vague" } as const;
const result = (word: string) => `## Result abcdefghjk: ${word}`;

it.each([
  [result("PASS"), [], { decision: "pass" }],
  [result("ERROR"), [{ ...warn, severity: "fail" as const }], { decision: "error" }],
  [result("WARN"), [warn], { decision: "warn" }],
  [
    result("PASS"),
    [warn],
    { decision: "unknown", doubt: "the result pass is better than what is found" },
  ],
  [
    `${result("FAIL")}\n${result("PASS")}`,
    [],
    { decision: "unknown", doubt: "the result lines differ", declaresFail: true },
  ],
  [
    `${result("PASS")}\n\nOnce abcdefghjk agrees.`,
    [],
    {
      decision: "unknown",
      doubt: "a line with the code abcdefghjk is not a result line as asked for",
    },
  ],
  [
    `${result("PASS")}\n\nOnce legal agrees.`,
    [],
    { decision: "unknown", doubt: "there is text behind the result line" },
  ],
  ["Fine.", [], { decision: "unknown", doubt: "there is no result line with the code" }],
  ["Result: PASS", [], { decision: "pass" }],
])("reads the result of %j", (text, findings, expected) => {
  expect(readResult(text, findings, form)).toEqual(expected);
});

it("gives each section the lines up to a heading of its level or the result", () => {
  const text = [
    "### Summary",
    "Good.",
    "#### Deeper",
    "Still good.",
    "### Other",
    "Not this.",
    "### Findings",
    "- warn: Vague",
    "## Higher",
    "- fail: not this",
    "### Suggested revision",
    "```",
    "### Findings",
    "```",
    "Result: WARN",
    "Nor this.",
  ];
  expect(parseReview("g", text.join("\n"))).toMatchObject({
    summary: "Good. #### Deeper Still good.",
    findings: [{ severity: "warn", message: "Vague" }],
    suggestedRevision: "```\n### Findings\n```",
  });
});
