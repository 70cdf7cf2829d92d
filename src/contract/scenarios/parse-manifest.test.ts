import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  InvalidFile,
  type Parsed,
  parsedOrThrow,
  renderProblem,
} from "../documents/file-problem.ts";
import { type ManifestReading, parseCase, parsePack, parseScenario } from "./parse-manifest.ts";
import { translatePattern } from "./pattern.ts";
import { packShape, scenarioShape } from "./scenario-shape.ts";
import { writePack, writeScenario } from "./write-manifest.ts";

const checkPattern = (pattern: string) => {
  const translation = translatePattern(pattern);
  return translation.kind === "problem" ? translation.problem : undefined;
};
const reading: ManifestReading = { checkPattern, readScenario: () => undefined };

const SCENARIO = `scenario_id: supplier_chain
domain: suppliers
bindings: { as_of: 2024-03-31 }
steps:
  - step_id: step_01
    question: What is in stock on {{bindings.as_of}}?
    criticality: WARNING
    required_filters: { as_of_date: "{{bindings.as_of}}" }
  - step_id: step_02
    question: Who supplied {{step_01.entries[0].item}}?
    depends_on: [step_01]
    required_direct_answer_patterns_any: ['(?i)\\bnordholz\\b']
    expected_route_candidate_status: ready
`;

const PACK = "pack_id: shop\ndomain: shop\nscenarios:\n";

function orThrow<T>(parsed: Parsed<T>): T {
  return parsedOrThrow(parsed, { code: "bad-manifest" });
}

function problems(text: string, file = "pack.yaml"): readonly string[] {
  const parsed = parsePack({ file, text }, reading);
  return parsed.kind === "problems" ? parsed.problems.map(renderProblem) : [];
}

test("a scenario is a pack of one, with defaults and folded words", () => {
  const pack = orThrow(parsePack({ file: "s.yaml", text: SCENARIO }, reading));
  expect(pack).toMatchObject({
    packId: "supplier_chain",
    scenarios: [
      {
        title: "supplier_chain",
        bindings: { as_of: "2024-03-31" },
        steps: [
          {
            criticality: "warning",
            expectations: { requiredFilters: { as_of_date: ["{{bindings.as_of}}"] } },
          },
          {
            criticality: "critical",
            dependsOn: ["step_01"],
            expectations: {
              expectedDebugFields: [
                { path: "mcp_discovery_route_candidate_status", op: "equals", value: "ready" },
              ],
            },
          },
        ],
      },
    ],
  });
});

test("JSON with a BOM and tabs is read", () => {
  const json = JSON.stringify(
    { scenario_id: "s", domain: "d", steps: [{ step_id: "a", question: "Стол?" }] },
    null,
    "\t",
  );
  expect(parseScenario({ file: "s.json", text: `\uFEFF${json}` }, checkPattern).kind).toBe(
    "parsed",
  );
});

test("a pack takes scenarios inline and by path", () => {
  const text =
    "pack_id: shop\ndomain: shop\nscenarios:\n  - suppliers.yaml\n  - { path: more.yaml }\n";
  const withFiles = {
    ...reading,
    readScenario: (path: string) => ({
      file: path,
      text: SCENARIO.replace("supplier_chain", path.replace(".yaml", "")),
    }),
  };
  expect(
    orThrow(parsePack({ file: "pack.yaml", text }, withFiles)).scenarios.map(
      (one) => one.scenarioId,
    ),
  ).toEqual(["suppliers", "more"]);
  expect(problems(text)).toEqual([
    "pack.yaml:4:5: scenarios[0]: no file suppliers.yaml",
    "pack.yaml:5:5: scenarios[1]: no file more.yaml",
  ]);
});

describe("problems name file, line, path and the fix", () => {
  test.each<[string, string, string]>([
    [
      "a misspelt key",
      SCENARIO.replace("depends_on", "depend_on"),
      "pack.yaml:11:5: steps[1].depend_on: is not a known key (did you mean depends_on?)",
    ],
    [
      "a strange key",
      `${SCENARIO}colour_of_the_sky: blue\n`,
      "pack.yaml:14:1: colour_of_the_sky: is not a known key (known: schema_version, scenario_id, domain, title, description, source_export, bindings, analysis_context, steps, user)",
    ],
    ["an array", "- a\n- b\n", "pack.yaml:1:1: must be a mapping of keys to values"],
    [
      "an unsafe id",
      SCENARIO.replace("step_id: step_01", "step_id: ../../etc"),
      "pack.yaml:5:5: steps[0].step_id: use letters, digits, _ . - (at most 80, a letter or digit first)",
    ],
    [
      "a reserved id",
      SCENARIO.replace("step_id: step_01", "step_id: aux"),
      "pack.yaml:5:5: steps[0].step_id: is a reserved file name on Windows",
    ],
    [
      "a bad pattern",
      SCENARIO.replace("(?i)\\bnordholz\\b", "nord(?=holz)"),
      "pack.yaml:12:43: steps[1].required_direct_answer_patterns_any[0]: pattern (?= at position 5: lookaround is not supported",
    ],
    [
      "a bad pattern of a debug field",
      `${SCENARIO}    expected_debug_fields: [{ path: item, op: matches, value: "(a" }]\n`,
      "pack.yaml:14:56: steps[1].expected_debug_fields[0].value: pattern ( at position 1: the group is not closed",
    ],
    [
      "two equal steps",
      SCENARIO.replace("step_id: step_02", "step_id: STEP_01"),
      "pack.yaml:9:5: steps[1].step_id: two steps are called STEP_01",
    ],
    [
      "two equal scenarios",
      `${PACK}  - { scenario_id: s, domain: d, steps: [{ step_id: a, question: Who? }] }\n  - { scenario_id: S, domain: d, steps: [{ step_id: a, question: Who? }] }\n`,
      "pack.yaml:5:5: scenarios[1]: two scenarios are called S",
    ],
    [
      "an inline scenario without steps",
      `${PACK}  - { scenario_id: s, domain: d }\n`,
      "pack.yaml:4:5: scenarios[0].steps: needs steps, or a user who asks",
    ],
    [
      "a step of an inline scenario",
      `${PACK}  - { scenario_id: s, domain: d, steps: [{ step_id: 7, question: Who? }] }\n`,
      "pack.yaml:4:44: scenarios[0].steps[0].step_id: must be text",
    ],
    [
      "a key beside the path of a scenario",
      `${PACK}  - { path: a.yaml, colour: x }\n`,
      "pack.yaml:4:21: scenarios[0].colour: is not a known key (known: path, schema_version, scenario_id, domain, title, description, source_export, bindings, analysis_context, steps, user)",
    ],
    [
      "neither a path nor a scenario",
      `${PACK}  - 12\n`,
      "pack.yaml:4:5: scenarios[0]: has none of the forms that are allowed here",
    ],
    [
      "an alias inside itself",
      "scenario_id: s\nbindings: &b { all: *b }\n",
      "pack.yaml:1:1: is not usable YAML: an alias is inside the value that it names",
    ],
    [
      "an inline scenario's key",
      `pack_id: shop\ndomain: shop\nscenarios:\n  - scenario_id: s\n    domain: d\n    steps:\n      - { step_id: a, question: Who?, semantic_tag: [x] }\n`,
      "pack.yaml:7:39: scenarios[0].steps[0].semantic_tag: is not a known key (did you mean semantic_tags?)",
    ],
  ])("%s", (_title, text, message) => {
    expect(problems(text)).toEqual([message]);
  });

  test("a missing field", () => {
    expect(problems("scenario_id: s\nsteps: [{ step_id: a, question: Who? }]\n")[0]).toMatch(
      /^pack.yaml:1:1: domain: /,
    );
  });

  test("broken YAML, two equal keys and custom tags", () => {
    expect(problems("a: [1, 2\n")[0]).toMatch(/^pack.yaml:\d+:\d+: /);
    expect(problems(`${SCENARIO}domain: twice\n`)[0]).toMatch(/^pack.yaml:14:1: .*unique/);
    expect(problems("scenario_id: !run whoami\n")).toHaveLength(1);
  });

  test("thrown as one error that carries all of them", () => {
    const parsed = parsePack(
      { file: "pack.yaml", text: SCENARIO.replaceAll("question:", "questoin:") },
      reading,
    );
    expect(() => orThrow(parsed)).toThrow(InvalidFile);
    expect(() => orThrow(parsed)).toThrow(/did you mean question\?/);
  });
});

test("aliases cannot blow a manifest up", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 9; level += 1) {
    lines.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(9)}*a${level - 1}]`);
  }
  expect(problems(lines.join("\n"))[0]).toMatch(/alias/);
});

test("a case is a scenario of one step", () => {
  const text =
    "case_id: desk_supplier\ndomain: suppliers\nquestion: Who supplied the oak desk?\nrequired_answer_patterns_all: [Nordholz]\n";
  expect(orThrow(parseCase({ file: "case.yaml", text }, checkPattern))).toMatchObject({
    scenarioId: "desk_supplier",
    steps: [
      {
        stepId: "case",
        question: "Who supplied the oak desk?",
        expectations: { requiredAnswerPatternsAll: ["Nordholz"] },
      },
    ],
  });
});

test("the normalized copy reads back as the same scenario and pack", () => {
  const pack = orThrow(parsePack({ file: "s.yaml", text: SCENARIO }, reading));
  const copy = (value: unknown) => ({ file: "copy.json", text: JSON.stringify(value) });
  expect(orThrow(parsePack(copy(writePack(pack)), reading))).toEqual(pack);
  expect(orThrow(parseScenario(copy(writeScenario(pack.scenarios[0]!)), checkPattern))).toEqual(
    pack.scenarios[0],
  );
});

test("no text makes the reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      expect(["parsed", "problems"]).toContain(parsePack({ file: "x", text }, reading).kind);
    }),
  );
});

test("editors get JSON Schemas that name the required keys", () => {
  expect(z.toJSONSchema(packShape, { io: "input" })).toMatchObject({
    additionalProperties: false,
    required: ["pack_id", "domain", "scenarios"],
  });
  expect(z.toJSONSchema(scenarioShape, { io: "input" })).toMatchObject({
    required: ["scenario_id", "domain"],
  });
});
