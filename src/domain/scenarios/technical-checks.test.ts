import { expect, test } from "vitest";
import type { Json } from "../values/json.ts";
import { DEBUG_OPERATORS, type DebugOperator } from "./manifest.ts";
import { fieldHolds } from "./technical-checks.ts";

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
