import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { type CiReport, renderCheckJUnit, renderGitHub, renderSarif } from "./check-formats.ts";

const report: CiReport = {
  pairs: 3,
  findings: [
    {
      note: 'notes/a & "b".md',
      gate: "prose/calm",
      model: "gpt-5-4",
      rule: "note-changed",
      level: "error",
      message: "prose/calm: the note changed,\nafter 100% of <reviews>\u0007",
    },
    {
      note: "notes/c.md",
      gate: "prose/plain",
      model: "rule",
      rule: "warning",
      level: "warning",
      message: "a long word",
      line: 7,
    },
  ],
};

/** The parts of SARIF 2.1.0 (§3) that a result with a location needs, with their required members. */
const sarifSchema = {
  type: "object",
  required: ["version", "runs"],
  properties: {
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      items: {
        type: "object",
        required: ["tool", "results"],
        properties: {
          tool: {
            type: "object",
            required: ["driver"],
            properties: {
              driver: {
                type: "object",
                required: ["name", "rules"],
                properties: {
                  rules: {
                    type: "array",
                    uniqueItems: true,
                    items: { type: "object", required: ["id"] },
                  },
                },
              },
            },
          },
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: {
            type: "array",
            items: {
              type: "object",
              required: ["message"],
              properties: {
                level: { enum: ["none", "note", "warning", "error"] },
                ruleIndex: { type: "integer", minimum: -1 },
                message: { type: "object", required: ["text"] },
                locations: {
                  type: "array",
                  items: {
                    type: "object",
                    required: ["physicalLocation"],
                    properties: {
                      physicalLocation: {
                        type: "object",
                        required: ["artifactLocation"],
                        properties: {
                          artifactLocation: {
                            type: "object",
                            required: ["uri"],
                            properties: { uri: { type: "string", pattern: "^[!-~]+$" } },
                          },
                          region: {
                            type: "object",
                            properties: { startLine: { type: "integer", minimum: 1 } },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

describe("formats for CI", () => {
  it("JUnit escapes what XML cannot hold and counts failures only", () => {
    const xml = renderCheckJUnit(report);
    expect(xml).toContain('<testsuites tests="2" failures="1">');
    expect(xml).toContain('classname="notes/a &amp; &quot;b&quot;.md"');
    expect(xml).toContain("&#10;after 100% of &lt;reviews&gt;\uFFFD");
    expect(xml).toContain(
      '<testcase classname="notes/c.md" name="prose/plain (rule)" file="notes/c.md" line="7"><system-out>',
    );
  });

  it("JUnit has a passing case when there is nothing to say", () => {
    expect(renderCheckJUnit({ pairs: 3, findings: [] })).toContain("3 pairs are fresh and pass");
  });

  it("SARIF follows the schema and points each result at its rule", () => {
    const sarif = renderSarif(report);
    const validate = new Ajv({ strict: false }).compile(sarifSchema);
    expect(validate(sarif), JSON.stringify(validate.errors)).toBe(true);
    expect(JSON.stringify(sarif)).toContain("notes/a%20%26%20%22b%22.md");
  });

  it("annotations stay on one line each", () => {
    const lines = renderGitHub(report).trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("the note changed,%0Aafter 100%25 of");
    expect(lines[1]).toBe(
      "::warning file=notes/c.md,line=7,title=warning%3A prose/plain::a long word",
    );
  });
});
