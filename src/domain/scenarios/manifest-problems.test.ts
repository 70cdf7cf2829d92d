import { expect, it } from "vitest";
import { NO_EXPECTATIONS, type Pack, type Scenario, type Step } from "./manifest.ts";
import { findManifestProblems } from "./manifest-problems.ts";

const step = (stepId: string, question = "How many?", more: Partial<Step> = {}): Step => ({
  ...{ stepId, title: stepId, question, dependsOn: [], criticality: "critical" },
  ...{ expectations: NO_EXPECTATIONS, semanticTags: [] },
  ...more,
});
const scenario = (scenarioId: string, ...steps: readonly Step[]): Scenario => ({
  ...{ scenarioId, domain: "shop", title: "", description: "", analysisContext: {} },
  ...{ bindings: { day: "Monday", shop: null }, steps },
});
const problems = (...scenarios: readonly Scenario[]) => {
  const pack: Pack = { packId: "shop", domain: "shop", title: "", bindings: {}, scenarios };
  return findManifestProblems(pack).map(({ code, scenarioId, stepId, message }) =>
    [code, scenarioId, stepId, message].filter((one) => one !== undefined).join(" | "),
  );
};

it("names that differ in case only are the same, for scenarios and their steps", () => {
  expect(problems(scenario("stock"), scenario("talk"), scenario("Stock"))).toEqual([
    "duplicate_id | Stock | two scenarios are called Stock",
  ]);
  expect(problems(scenario("stock", step("one"), step("ONE")))).toEqual([
    "duplicate_id | stock | ONE | two steps are called ONE",
  ]);
});

it("a step may not have the name of a placeholder's root", () => {
  expect(problems(scenario("stock", step("bindings")))).toEqual([
    "reserved_id | stock | bindings | bindings is a placeholder root and cannot name a step",
  ]);
});

it("steps of the simulated user keep their names where there is one", () => {
  const talk = scenario("talk", step("turn_1"), step("Goal"), step("turn_x"));
  expect(problems(talk)).toEqual([]);
  const user = {
    ...{ persona: "", goal: "Know {{bindings.night}}", maxTurns: 3, goalAnswerPatternsAny: [] },
    turn: step("turn", ""),
  };
  expect(problems({ ...talk, user })).toEqual([
    "reserved_id | talk | turn_1 | turn_1 names a step of the simulated user",
    "reserved_id | talk | Goal | Goal names a step of the simulated user",
    "invalid_placeholder | talk | {{bindings.night}} has no binding",
  ]);
});

it("a step depends on and quotes earlier steps only, and bindings that have a value", () => {
  const later = step("two", "{{one.item}} on {{bindings.day}}", { dependsOn: ["one"] });
  expect(problems(scenario("stock", step("one"), later))).toEqual([]);
  expect(problems(scenario("stock", later, step("one", "{{bindings.shop}}")))).toEqual([
    "dependency_order | stock | two | depends_on one, which is not an earlier step of the scenario",
    "invalid_placeholder | stock | two | {{one.item}} names no earlier step",
    "invalid_placeholder | stock | one | {{bindings.shop}} has no binding",
  ]);
  expect(problems(scenario("stock", step("one", "{{semantic_memory.x}}")))).toEqual([]);
});
