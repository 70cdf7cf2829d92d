import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../values/json.ts";
import { DEFAULT_CHECK_RULES } from "./check-rules.ts";
import { type Expectations, NO_EXPECTATIONS, type Step } from "./manifest.ts";
import { judgeStep, rollUp, STATUSES, type StepExecution, worse } from "./step-status.ts";

const how = {
  rules: DEFAULT_CHECK_RULES,
  matches: (pattern: string, text: string) => new RegExp(pattern, "iu").test(text),
};

function shopStep(
  expectations: Partial<Expectations> = {},
  criticality: Step["criticality"] = "critical",
): Step {
  return {
    stepId: "step_02_supplier",
    title: "Who supplied the desk",
    question: "Who supplied the oak desk?",
    dependsOn: [],
    criticality,
    expectations: { ...NO_EXPECTATIONS, ...expectations },
    semanticTags: [],
  };
}

function answered(text: string, debug: Json = {}, before?: Json): StepExecution {
  return {
    kind: "answered",
    answer: {
      text,
      replyType: "factual",
      debug,
      entries: [],
      semanticMemory: { focus_object: "desk" },
      raw: {},
    },
    ...(before === undefined
      ? {}
      : { reference: { stepId: "step_01_stock", debug: before, semanticMemory: {} } }),
  };
}

function judge(
  expectations: Partial<Expectations>,
  execution: StepExecution,
  criticality?: Step["criticality"],
) {
  const { status, findings } = judgeStep(shopStep(expectations, criticality), execution, how);
  return { status, found: findings.map((finding) => `${finding.severity} ${finding.invariant}`) };
}

const GOOD = "Nordholz supplied the oak desk.\nDelivery of 2024-03-04, 12 pieces.";

test("an answer that keeps every expectation is accepted", () => {
  const debug = {
    detected_intent: "supplier_lookup",
    capability_id: "supplier",
    selected_recipe: "supplier_of_item",
    result_mode: "confirmed",
    fallback_type: "none",
    extracted_filters: { item: "Oak desk", as_of_date: "2024-03-31" },
    state_objects: ["answer_object"],
  };
  const expectations: Partial<Expectations> = {
    allowedReplyTypes: ["factual"],
    requiredDirectAnswerPatternsAny: ["nordholz"],
    requiredAnswerPatternsAll: ["2024-03-04"],
    forbiddenAnswerPatterns: ["acme"],
    expectedIntents: ["supplier_lookup"],
    expectedCapability: "supplier",
    expectedRecipe: "supplier_of_item",
    expectedResultMode: "confirmed",
    requiredFilters: { item: ["oak desk"], as_of_date: ["2024-03-31"] },
    requiredStateObjects: ["answer_object", "focus_object"],
    requiredCarryoverInvariants: ["item", "as_of_date"],
    expectedDebugFields: [{ path: "extracted_filters.item", op: "equals", value: "Oak desk" }],
    requiredAnswerShape: "direct_answer",
  };
  expect(
    judge(
      expectations,
      answered("Nordholz supplied the oak desk.\nDelivery 2024-03-04.", debug, debug),
    ),
  ).toEqual({
    status: "accepted",
    found: [],
  });
});

describe("each broken expectation is a finding of its default severity", () => {
  test.each<[string, Partial<Expectations>, StepExecution, string, string]>([
    [
      "wrong reply type",
      { allowedReplyTypes: ["partial_coverage"] },
      answered(GOOD),
      "partial",
      "P1 reply_type",
    ],
    [
      "answer below line 1",
      { requiredDirectAnswerPatternsAny: ["12 pieces"] },
      answered(GOOD),
      "partial",
      "P0 direct_answer_first",
    ],
    ["empty answer", {}, answered(" \n "), "partial", "P0 direct_answer_first"],
    [
      "missing content",
      { requiredAnswerPatternsAll: ["acme"] },
      answered(GOOD),
      "partial",
      "P0 required_answer_content",
    ],
    [
      "none of several",
      { requiredAnswerPatternsAny: ["acme", "birch"] },
      answered(GOOD),
      "partial",
      "P0 required_answer_content",
    ],
    [
      "forbidden content",
      { forbiddenAnswerPatterns: ["nordholz"] },
      answered(GOOD),
      "partial",
      "P0 forbidden_answer_content",
    ],
    [
      "garbage in line 1",
      {},
      answered("runtime_plan: Nordholz"),
      "partial",
      "P0 technical_garbage_first_line",
    ],
    ["garbage below", {}, answered(`${GOOD}\nplanner_step 3`), "partial", "P1 technical_garbage"],
    ["talk first", {}, answered("Sure, let us see.\nNordholz."), "partial", "P1 top_level_noise"],
    ["heading first", {}, answered("# Supplier\nNordholz"), "partial", "P1 answer_layering"],
    [
      "too much",
      {},
      answered(`${GOOD}\n${"- row\n".repeat(80)}`),
      "partial",
      "P1 over_broad_answer",
    ],
    [
      "wrong shape",
      { requiredAnswerShape: "number" },
      answered("Nordholz"),
      "partial",
      "P1 answer_shape",
    ],
    ["long line 1", {}, answered("Nordholz ".repeat(60)), "accepted", "P2 style"],
    [
      "fallback",
      {},
      answered(GOOD, { fallback_type: "generic" }),
      "needs_exact_capability",
      "P1 fallback",
    ],
    [
      "no capability",
      { expectedCapability: "supplier" },
      answered(GOOD),
      "needs_exact_capability",
      "P1 capability",
    ],
    [
      "forbidden capability",
      { forbiddenCapabilities: ["chat"] },
      answered(GOOD, { capability_id: "chat" }),
      "needs_exact_capability",
      "P1 capability",
    ],
    [
      "heuristic",
      {},
      answered(GOOD, { result_mode: "heuristic" }),
      "partial",
      "P1 heuristic_result",
    ],
    [
      "intent",
      { expectedIntents: ["stock"] },
      answered(GOOD, { detected_intent: "sales" }),
      "partial",
      "P1 intent",
    ],
    [
      "recipe",
      { forbiddenRecipes: ["scan"] },
      answered(GOOD, { selected_recipe: "scan" }),
      "partial",
      "P1 recipe",
    ],
    [
      "result mode",
      { expectedResultMode: "confirmed" },
      answered(GOOD, { result_mode: "partial" }),
      "partial",
      "P1 result_mode",
    ],
    [
      "filter",
      { requiredFilters: { item: ["lamp"] } },
      answered(GOOD, { filters: { item: "desk" } }),
      "partial",
      "P0 field_truth",
    ],
    [
      "date filter",
      { requiredFilters: { as_of_date: ["2024-03-31"] } },
      answered("Nordholz", { filters: { as_of_date: "2024-04-30" } }),
      "partial",
      "P0 temporal_honesty",
    ],
    [
      "date shown",
      { requiredFilters: { as_of_date: ["2024-03-31"] } },
      answered("12 on 30.04.2024", { filters: { as_of_date: "2024-03-31" } }),
      "partial",
      "P0 temporal_honesty",
    ],
    [
      "state object",
      { requiredStateObjects: ["result_set"] },
      answered(GOOD),
      "partial",
      "P1 object_memory",
    ],
    [
      "carry-over",
      { requiredCarryoverInvariants: ["item"] },
      answered(GOOD, { filters: { item: "lamp" } }, { filters: { item: "desk" } }),
      "partial",
      "P0 edge_carryover",
    ],
    [
      "carried date",
      { requiredCarryoverInvariants: ["as_of_date"] },
      answered("Nordholz", {}, { as_of_date: "2024-03-31" }),
      "partial",
      "P0 temporal_honesty",
    ],
    [
      "nothing to carry",
      { requiredCarryoverInvariants: ["item"] },
      answered(GOOD, { filters: { item: "lamp" } }, {}),
      "partial",
      "P1 carryover_unobserved",
    ],
    [
      "debug field",
      { expectedDebugFields: [{ path: "rows", op: "at_least", value: 3 }] },
      answered(GOOD, { rows: 2 }),
      "partial",
      "P1 debug_field",
    ],
  ])("%s", (_title, expectations, execution, status, finding) => {
    expect(judge(expectations, execution)).toEqual({ status, found: [finding] });
  });
});

test.each<[StepExecution, string]>([
  [
    {
      kind: "failed",
      failure: { kind: "timed_out", message: "no answer in 180 s", accepted: true },
    },
    "P0 transport",
  ],
  [
    { kind: "unresolved", problem: { expression: "step_01.entries[0]", reason: "missing_value" } },
    "P0 placeholder",
  ],
  [{ kind: "skipped", because: "step_01_stock" }, "P1 dependency"],
])("a step without an answer is blocked", (execution, finding) => {
  expect(judge({}, execution)).toEqual({ status: "blocked", found: [finding] });
});

test("reports an answer that is further down, also for a pattern that starts a line", () => {
  const step = shopStep({ requiredDirectAnswerPatternsAny: ["^Delivery of"] });
  const [finding] = judgeStep(step, answered(GOOD), how).findings;
  expect(finding?.evidence).toMatch(/^the answer is further down; line 1 is "Nordholz/);
});

test.each([
  ["direct_answer", "Nordholz.", "Here it is:"],
  ["number", "12 pieces", "Nordholz"],
  ["date", "On 31.03.2024.", "In March\n2024-03-31"],
  ["yes_no", "Да, пять.", "Nobody knows."],
  ["list", "Two:\n- desk\n- lamp", "Desk and lamp."],
  ["table", "Two:\n| item |\n|---|\n| desk |", "- desk"],
  ["clarification", "Which desk?", "Nordholz."],
])("an answer has the shape %s or has it not", (requiredAnswerShape, right, wrong) => {
  expect(judge({ requiredAnswerShape }, answered(right)).found).toEqual([]);
  expect(judge({ requiredAnswerShape }, answered(wrong)).found).toEqual(["P1 answer_shape"]);
});

test.each([
  ["###### Supplier\nNordholz", true, false],
  ["```\nNordholz\n```", true, false],
  ["| supplier |\n| Nordholz |", true, false],
  ["> Nordholz", false, false],
  ["#1 is Nordholz.", false, false],
  ["Nordholz | order # 7 | ```N-1```", false, true],
])("%j puts evidence first: %s, is a direct answer: %s", (text, isEvidence, isDirect) => {
  const layering = isEvidence ? ["P1 answer_layering"] : [];
  const shape = isDirect ? [] : ["P1 answer_shape"];
  const requiredAnswerShape = "direct_answer";
  expect(judge({ requiredAnswerShape }, answered(text)).found).toEqual([...layering, ...shape]);
});

test("a payload that names no fallback in capitals has none", () => {
  expect(judge({}, answered(GOOD, { fallback_type: "None" })).found).toEqual([]);
});

test("words that only contain a marker are no garbage", () => {
  expect(judge({}, answered("The nonprimitive lacquer is from Nordholz."))).toEqual({
    status: "accepted",
    found: [],
  });
});

test("a step sets the severity of its invariants, by invariant or by slot", () => {
  const execution = answered(GOOD, { filters: { item: "desk" } });
  const requiredFilters = { item: ["lamp"] };
  expect(judge({ requiredFilters, invariantSeverity: { item: "P2" } }, execution)).toEqual({
    status: "accepted",
    found: ["P2 field_truth"],
  });
  expect(
    judge({ requiredFilters, invariantSeverity: { field_truth: "P1" } }, execution).found,
  ).toEqual(["P1 field_truth"]);
});

test("only critical steps have a P0", () => {
  expect(judge({ forbiddenAnswerPatterns: ["nordholz"] }, answered(GOOD), "warning").found).toEqual(
    ["P1 forbidden_answer_content"],
  );
  expect(judge({ forbiddenAnswerPatterns: ["nordholz"] }, answered(GOOD), "info").found).toEqual([
    "P1 forbidden_answer_content",
  ]);
});

test.each<[string, Partial<Expectations>, StepExecution]>([
  ["reply_type", { allowedReplyTypes: ["partial_coverage"] }, answered(GOOD)],
  ["heuristic_result", {}, answered(GOOD, { result_mode: "heuristic" })],
])(
  "a step with a %s is partial, however mild the step calls it",
  (invariant, wanted, execution) => {
    const invariantSeverity = { [invariant]: "P2" as const };
    expect(judge({ ...wanted, invariantSeverity }, execution)).toEqual({
      status: "partial",
      found: [`P2 ${invariant}`],
    });
  },
);

test("an answer that only begins like talk is no talk", () => {
  expect(judge({}, answered("Surestep ladders are from Nordholz.")).found).toEqual([]);
});

test("the worst child counts and info children never do", () => {
  expect(
    rollUp([{ status: "accepted" }, { status: "partial" }, { status: "needs_exact_capability" }]),
  ).toBe("needs_exact_capability");
  expect(rollUp([{ status: "accepted" }, { status: "blocked", criticality: "info" }])).toBe(
    "accepted",
  );
});

test("worse is a join: any order and grouping gives the same status", () => {
  const status = fc.constantFrom(...STATUSES);
  fc.assert(
    fc.property(status, status, status, (a, b, c) => {
      expect(worse(a, worse(b, c))).toBe(worse(worse(c, a), b));
      expect(worse(a, a)).toBe(a);
    }),
  );
});

test("judging never throws and never accepts an answer it found a P0 or P1 in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (text, debug) => {
      const { status, found } = judge(
        { requiredCarryoverInvariants: ["item"], requiredFilters: { as_of_date: ["2024-03-31"] } },
        answered(text, debug as Json, { item: "desk" }),
      );
      expect(status === "accepted").toBe(found.every((finding) => finding.startsWith("P2")));
    }),
  );
});
