import { expect, test } from "vitest";
import type { Json } from "../values/json.ts";
import { DEFAULT_CHECK_RULES } from "./check-rules.ts";
import {
  DEBUG_OPERATORS,
  type DebugOperator,
  type Expectations,
  NO_EXPECTATIONS,
} from "./manifest.ts";
import { checkTechnicalPayload, fieldHolds, type TechnicalEvidence } from "./technical-checks.ts";

const matches = (pattern: string, text: string) => new RegExp(pattern, "u").test(text);

const CASES: readonly (readonly [DebugOperator, Json, Json | undefined, boolean])[] = [
  ["equals", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ["equals", 5, "5", false],
  ["equals", "stock", undefined, false],
  ["not_equals", "stock", "sales", true],
  ["not_equals", "stock", "stock", false],
  ["not_equals", "stock", undefined, true],
  ["one_of", ["stock", "sales"], "sales", true],
  ["one_of", ["stock"], "sales", false],
  ["one_of", "stock", "stock", false],
  ["none_of", ["stock"], "sales", true],
  ["none_of", ["stock"], "stock", false],
  ["contains", "date", ["item", "date"], true],
  ["contains", "date", "as_of_date", true],
  ["contains", "date", { date: 1 }, false],
  ["matches", "^shop\\.", "shop.stock", true],
  ["matches", "^shop\\.", undefined, false],
  ["exists", null, 0, true],
  ["exists", null, null, false],
  ["absent", null, undefined, true],
  ["absent", null, "", false],
  ["at_least", 3, 3, true],
  ["at_least", 3, "4", false],
  ["at_most", 3, 3, true],
  ["at_most", 3, 4, false],
];

test.each(CASES)("%s %j holds for %j: %s", (op, value, actual, expected) => {
  expect(fieldHolds({ path: "field", op, value }, actual, matches)).toBe(expected);
});

test("every operator is tried both ways", () => {
  for (const op of DEBUG_OPERATORS) {
    expect(new Set(CASES.filter(([one]) => one === op).map(([, , , holds]) => holds)).size).toBe(2);
  }
});

/** What is found in a payload, each as its expectation and what was there instead. */
function found(expectations: Partial<Expectations>, evidence: Partial<TechnicalEvidence>) {
  const step = {
    ...{ stepId: "stock", title: "", question: "", dependsOn: [], semanticTags: [] },
    ...{ criticality: "critical" as const, expectations: { ...NO_EXPECTATIONS, ...expectations } },
  };
  const given = { step, text: "12", debug: {}, semanticMemory: null, ...evidence };
  return checkTechnicalPayload(given, DEFAULT_CHECK_RULES, matches).map(
    ({ expectation, evidence: was }) => [expectation, was],
  );
}

test("an empty path names nothing, not the whole payload", () => {
  const expectedDebugFields = [{ path: "", op: "exists" as const }];
  expect(found({ expectedDebugFields }, { debug: { item: "desk" } })).toHaveLength(1);
});

test("a tool has to be called with the arguments that are named, whatever else is given", () => {
  const expectedToolCalls = [{ name: "count", arguments: { "item.name": "bread" } }];
  const wanted = 'expected_tool_calls: count with {"item.name":"bread"}';
  const calls = (...given: readonly Json[]) =>
    found(
      { expectedToolCalls },
      { toolCalls: given.map((one) => ({ name: "count", arguments: one })) },
    );
  expect(calls({ item: { name: "bread", day: 1 } })).toEqual([]);
  expect(calls({}, { item: { name: "rye" } })).toEqual([
    [wanted, 'count({}), count({"item":{"name":"rye"}})'],
  ]);
  expect(calls()).toEqual([[wanted, "no tool was called"]]);
  const any = { expectedToolCalls: [{ name: "count" }] };
  expect(found(any, {})).toEqual([["expected_tool_calls: count", "no tool was called"]]);
  expect(found(any, { toolCalls: [{ name: "count", arguments: null }] })).toEqual([]);
});

test("a forbidden tool must not be called at all", () => {
  const toolCalls = [{ name: "delete", arguments: {} }];
  expect(found({ forbiddenTools: ["delete", "drop"] }, { toolCalls })).toEqual([
    ["forbidden_tools: delete", "delete({})"],
  ]);
});

test("an answer may take as long as the step allows, where it was timed", () => {
  expect(found({ maxSeconds: 2 }, { latencyMs: 2_000 })).toEqual([]);
  expect(found({ maxSeconds: 2 }, { latencyMs: 2_001 })).toEqual([["max_seconds: 2", "2.0 s"]]);
  expect(found({ maxSeconds: 2 }, {})).toEqual([]);
  expect(found({}, { latencyMs: 90_000 })).toEqual([]);
});

test("capabilities, recipes and objects are named with what was found instead", () => {
  const debug = { capability: "sales", recipe: "sales" };
  const paths = DEFAULT_CHECK_RULES.debugPaths;
  expect([paths.capability, paths.recipe].every((some) => some.length > 0)).toBe(true);
  const named = {
    forbiddenCapabilities: ["sales", "returns"],
    requiredStateObjects: ["order"],
  };
  const inDebug = Object.fromEntries(
    Object.entries(debug).map(([name, value]) => [paths[name as "recipe"][0] ?? name, value]),
  );
  expect(found(named, { debug: nested(inDebug) })).toEqual([
    ["forbidden_capabilities: sales, returns", "sales"],
    ["required_state_objects: order", "absent"],
  ]);
});

/** `{ "a.b": 1 }` as `{ a: { b: 1 } }`. */
function nested(flat: { readonly [path: string]: string }): Json {
  const root: { [name: string]: Json } = {};
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split(".");
    let at: { [name: string]: Json } = root;
    for (const name of names.slice(0, -1)) {
      at[name] ??= {};
      at = at[name] as { [name: string]: Json };
    }
    at[names.at(-1) ?? ""] = value;
  }
  return root;
}
