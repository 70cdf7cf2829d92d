import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_EXPECTATIONS, type Step } from "./manifest.ts";
import {
  type PlaceholderScope,
  parsePlaceholders,
  resolveJson,
  resolveStep,
  resolveText,
  rootsOf,
} from "./placeholder.ts";

const scope: PlaceholderScope = {
  bindings: { as_of: "2024-03-31", limit: 5, shop: null },
  semanticMemory: { active_result_set_id: "rs-7" },
  steps: new Map([
    [
      "step_01_stock",
      { entries: [{ item: "Oak desk (white)", quantity: 12 }], debug: { rows: [1, 2] } },
    ],
  ]),
  unanswered: new Set(["step_02_supplier"]),
};

const usable = () => true;

const step: Step = {
  stepId: "step_03",
  title: "Who supplied it",
  question: "Who supplied {{step_01_stock.entries[0].item}}?",
  dependsOn: [],
  criticality: "critical",
  expectations: NO_EXPECTATIONS,
  semanticTags: [],
};

test("an embedded placeholder becomes text", () => {
  expect(resolveText("stock on {{ bindings.as_of }}, top {{bindings.limit}}", scope)).toEqual({
    kind: "resolved",
    value: "stock on 2024-03-31, top 5",
  });
});

test("a placeholder that is the whole text keeps its type", () => {
  expect(resolveText("{{bindings.limit}}", scope)).toEqual({ kind: "resolved", value: 5 });
  expect(resolveText("{{step_01_stock.entries[0]}}", scope)).toEqual({
    kind: "resolved",
    value: { item: "Oak desk (white)", quantity: 12 },
  });
  expect(resolveText("{{semantic_memory.active_result_set_id}}", scope)).toEqual({
    kind: "resolved",
    value: "rs-7",
  });
});

test.each([
  ["{{bindings.colour}}", "bindings.colour", "missing_value"],
  ["{{bindings.shop}}", "bindings.shop", "null_value"],
  ["{{step_01_stock.entries[3].item}}", "step_01_stock.entries[3].item", "missing_value"],
  ["{{step_02_supplier.entries[0]}}", "step_02_supplier.entries[0]", "step_without_answer"],
  ["{{step_09.entries[0]}}", "step_09.entries[0]", "unknown_root"],
  ["{{bindings.constructor}}", "bindings.constructor", "missing_value"],
  ["{{bindings.__proto__}}", "bindings.__proto__", "missing_value"],
  ["who {{bindings.as_of", "bindings.as_of", "malformed"],
  ["{{}}", "", "malformed"],
  ["{{bindings..as_of}}", "bindings..as_of", "malformed"],
  ["{{[0]}}", "[0]", "malformed"],
  ["{{bindings.as_of + 1}}", "bindings.as_of + 1", "malformed"],
])("%s is unresolved and names its expression", (text, expression, reason) => {
  expect(resolveText(text, scope)).toEqual({ kind: "unresolved", problem: { expression, reason } });
});

test("what was put in is not read again", () => {
  const tricky = { ...scope, bindings: { name: "{{bindings.secret}}", secret: "s3cret" } };
  expect(resolveText("hello {{bindings.name}}", tricky)).toEqual({
    kind: "resolved",
    value: "hello {{bindings.secret}}",
  });
});

test("expectations are resolved, and a value inside a pattern stands for itself", () => {
  const resolved = resolveStep(
    {
      ...step,
      expectations: {
        ...NO_EXPECTATIONS,
        requiredAnswerPatternsAll: ["(?i){{step_01_stock.entries[0].item}}"],
        requiredDirectAnswerPatternsAny: ["{{bindings.limit}}"],
        expectedDebugFields: [
          { path: "item", op: "matches", value: "^{{step_01_stock.entries[0].item}}" },
          { path: "item", op: "equals", value: "{{step_01_stock.entries[0].item}}" },
          { path: "item", op: "exists" },
        ],
        requiredFilters: { as_of_date: ["{{bindings.as_of}}"], limit: ["{{bindings.limit}}"] },
        invariantSeverity: { item: "P1" },
      },
    },
    scope,
    usable,
  );
  expect(resolved).toMatchObject({
    kind: "resolved",
    value: {
      question: "Who supplied Oak desk (white)?",
      expectations: {
        requiredAnswerPatternsAll: ["(?i)Oak desk \\(white\\)"],
        requiredDirectAnswerPatternsAny: ["5"],
        expectedDebugFields: [
          { path: "item", op: "matches", value: "^Oak desk \\(white\\)" },
          { path: "item", op: "equals", value: "Oak desk (white)" },
          { path: "item", op: "exists" },
        ],
        requiredFilters: { as_of_date: ["2024-03-31"], limit: [5] },
        invariantSeverity: { item: "P1" },
      },
    },
  });
});

test("one unresolved expectation keeps the step from being asked", () => {
  const expectations = { ...NO_EXPECTATIONS, requiredFilters: { item: ["{{step_09.item}}"] } };
  expect(resolveStep({ ...step, expectations }, scope, usable).kind).toBe("unresolved");
});

test("a step is not asked if a value makes its pattern invalid", () => {
  const pattern = "^{{ step_01_stock.entries[0].item }}$";
  const tooLong = (resolved: string) => resolved.length < 10;
  const problem = { expression: "step_01_stock.entries[0].item", reason: "unusable_in_pattern" };
  for (const expectations of [
    { ...NO_EXPECTATIONS, forbiddenAnswerPatterns: [pattern] },
    {
      ...NO_EXPECTATIONS,
      expectedDebugFields: [{ path: "item", op: "matches" as const, value: pattern }],
    },
  ]) {
    expect(resolveStep({ ...step, expectations }, scope, tooLong)).toEqual({
      kind: "unresolved",
      problem,
    });
  }
});

test("the roots of a step come from its question and its expectations", () => {
  const expectations = { ...NO_EXPECTATIONS, requiredFilters: { day: ["{{bindings.as_of}}"] } };
  expect([...rootsOf({ ...step, expectations })]).toEqual(["step_01_stock", "bindings"]);
});

test("text without braces is never changed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes("{{"));
      expect(resolveText(text, scope)).toEqual({ kind: "resolved", value: text });
    }),
  );
});

test("any text is either resolved or names what is wrong; nothing throws", () => {
  const part = fc.oneof(
    fc.constantFrom("{{", "}}", "bindings", ".", "as_of", "[0]", " ", "step_01_stock", "entries"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const result = resolveText(text, scope);
      expect(parsePlaceholders(text).kind === "resolved" || result.kind === "unresolved").toBe(
        true,
      );
      expect(resolveJson({ deep: [text] }, scope).kind).toBe(result.kind);
    }),
  );
});

test("what an expectation cannot take over is named by its placeholder", () => {
  const problem = (more: Partial<Step["expectations"]>, isUsable = usable) => {
    const resolved = resolveStep(
      { ...step, expectations: { ...NO_EXPECTATIONS, ...more } },
      scope,
      isUsable,
    );
    return resolved.kind === "unresolved"
      ? [resolved.problem.expression, resolved.problem.reason]
      : "resolved";
  };
  const missing = ["bindings.colour", "missing_value"];
  const path = "rows.{{bindings.colour}}";
  expect(problem({ expectedDebugFields: [{ path, op: "exists", value: null }] })).toEqual(missing);
  expect(problem({ requiredAnswerPatternsAll: ["a {{bindings.colour}} desk"] })).toEqual(missing);
  const item = "step_01_stock.entries[0].item";
  const pattern = `the {{ ${item} }} is {{bindings.limit}}`;
  expect(problem({ requiredAnswerPatternsAll: [pattern] })).toBe("resolved");
  const [expression, reason] = problem(
    { requiredAnswerPatternsAll: [`the\n{{ ${item} }}\nis here`] },
    () => false,
  );
  expect([expression, reason]).toEqual([item, "unusable_in_pattern"]);
});
