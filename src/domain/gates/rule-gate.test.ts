import { describe, expect, it } from "vitest";
import { parseNote } from "../../contract/documents/parse-note.ts";
import { evaluateRules, type Rule } from "./rule-gate.ts";

const note = parseNote(`---
description: What the shop takes back
tags: []
---
# Returns

## How it works

It is obviously simple. Bring the *receipt*, and we pay you back within a week.

    obviously in code

\`obviously\` and \`\`\`obviously\`\`\` in code as well.

#### Für Händler

Größe ändern: TODO.
`);
const matches = (pattern: string, text: string) => {
  const found = new RegExp(pattern, "u").exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
};
const check = (rule: Rule) => evaluateRules([rule], note, matches);
const warn = { severity: "warn" } as const;

describe("a rule gate", () => {
  it("finds words in running text with line and quote, never in code", () => {
    expect(check({ ...warn, kind: "words", words: ["obviously", "simp"], in: "body" })).toEqual({
      decision: "warn",
      findings: [
        {
          severity: "warn",
          message: '"obviously" is on the gate\'s list.',
          quote: "obviously",
          line: 9,
        },
      ],
    });
  });

  it("finds words of any script and phrases of several words", () => {
    const { findings } = check({
      ...warn,
      kind: "words",
      words: ["größe", "pay you  back"],
      in: "body",
    });
    expect(findings.map(({ quote }) => quote)).toEqual(["pay you  back", "größe"]);
  });

  it("finds a pattern with the matcher it is given", () => {
    expect(
      check({
        severity: "fail",
        kind: "pattern",
        pattern: "TODO",
        in: "body",
        message: "Unfinished.",
      }),
    ).toEqual({
      decision: "fail",
      findings: [{ severity: "fail", message: "Unfinished.", quote: "TODO", line: 17 }],
    });
  });

  it.each<[string, Rule, string]>([
    [
      "a pattern that must be there",
      { ...warn, kind: "required-pattern", pattern: "warranty", in: "body" },
      "warn",
    ],
    ["and is", { ...warn, kind: "required-pattern", pattern: "receipt", in: "body" }, "pass"],
    ["too many words", { ...warn, kind: "max-words", limit: 4, in: "description" }, "warn"],
    ["enough words", { ...warn, kind: "min-words", limit: 5, in: "description" }, "pass"],
    ["too few words", { ...warn, kind: "min-words", limit: 3, in: "title" }, "warn"],
    [
      "too many characters",
      { ...warn, kind: "max-characters", limit: 23, in: "description" },
      "warn",
    ],
    [
      "just enough characters",
      { ...warn, kind: "max-characters", limit: 24, in: "description" },
      "pass",
    ],
    ["a long sentence", { ...warn, kind: "max-sentence-words", limit: 9 }, "warn"],
    ["no long sentence", { ...warn, kind: "max-sentence-words", limit: 11 }, "pass"],
    ["a long paragraph", { ...warn, kind: "max-paragraph-words", limit: 10 }, "warn"],
    ["a deep heading", { ...warn, kind: "max-heading-depth", limit: 3 }, "warn"],
    ["too many headings", { ...warn, kind: "max-headings", limit: 1 }, "warn"],
    [
      "a missing heading",
      { severity: "fail", kind: "required-headings", headings: ["how it works", "Costs"] },
      "fail",
    ],
    [
      "an empty value",
      { ...warn, kind: "required-frontmatter", keys: ["description", "tags"] },
      "warn",
    ],
  ])("notices %s", (_, rule, decision) => {
    expect(check(rule).decision).toBe(decision);
  });

  it("finds headings whatever their case and spaces, and names those that are missing", () => {
    const headings = ["HOW  it works", "für händler", "Costs"];
    expect(check({ ...warn, kind: "required-headings", headings }).findings).toMatchObject([
      { message: 'The heading "Costs" is missing.' },
    ]);
  });

  it("finds nothing in a title or description that is not there", () => {
    const bare = parseNote("Only a body, obviously.\n");
    for (const scope of ["title", "description"] as const) {
      const rule: Rule = { ...warn, kind: "words", words: ["obviously"], in: scope };
      expect(evaluateRules([rule], bare, matches).findings).toEqual([]);
    }
  });

  it("takes the worst of its rules and passes without findings", () => {
    const mild: Rule = { ...warn, kind: "max-headings", limit: 1 };
    const grave: Rule = { severity: "fail", kind: "max-heading-depth", limit: 3 };
    expect(evaluateRules([mild, grave], note, matches).decision).toBe("fail");
    expect(evaluateRules([], note, matches)).toEqual({ decision: "pass", findings: [] });
  });
});
