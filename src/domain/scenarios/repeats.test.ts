import { expect, it } from "vitest";
import { describeRepeats, foldRepeats, isFlaky, passInterval } from "./repeats.ts";
import type { ScenarioRecord, StepRecord } from "./run-record.ts";

type Fold = Parameters<typeof foldRepeats>[0];

const step = (stepId: string, status: string, more: object = {}): StepRecord =>
  ({ stepId, status, criticality: "critical", findings: [], ...more }) as unknown as StepRecord;
const run = (steps: readonly StepRecord[], ...versions: readonly string[]): ScenarioRecord =>
  ({
    scenarioId: "s",
    steps,
    ...(versions.length > 0 && { assistantVersions: versions }),
  }) as unknown as ScenarioRecord;
const fold = (...runs: readonly ScenarioRecord[]) => foldRepeats(runs as unknown as Fold);
const finding = (severity: string, invariant = "a") => ({ severity, invariant });

it("keeps the worst of each step, and how often it passed", () => {
  const worse = step("a", "partial", { findings: [finding("P1")] });
  const worst = step("a", "partial", { findings: [finding("P0")] });
  const folded = fold(run([step("a", "accepted")], "v1"), run([worst], "v2"), run([worse], "v1"));
  expect(folded.steps).toEqual([{ ...worst, flaky: true, repeats: { passed: 1, of: 3 } }]);
  expect(folded.assistantVersions).toEqual(["v1", "v2"]);
});

it("calls a step flaky only if its outcomes differ", () => {
  const found = (...invariants: readonly string[]) =>
    step("a", "partial", { findings: invariants.map((one) => finding("P1", one)) });
  const same = fold(run([found("a", "b")]), run([found("b", "a")]));
  expect(same.steps[0]).not.toHaveProperty("flaky");
  expect(same).not.toHaveProperty("assistantVersions");
  expect(fold(run([found("a")]), run([found("b")])).steps[0]).toMatchObject({ flaky: true });
});

it.each([
  [
    true,
    "v1 passed, then failed",
    [
      { of: "v1", status: "accepted" },
      { of: "v1", status: "partial" },
    ],
  ],
  [
    true,
    "v1 failed, v2 passed, v1 passed",
    [
      { of: "v1", status: "blocked" },
      { of: "v2", status: "accepted" },
      { of: "v1", status: "accepted" },
    ],
  ],
  [true, "repeats within a run differed", [{ status: "partial", flaky: true }]],
  [
    false,
    "v1 failed and v2 passed, as after a repair",
    [
      { of: "v1", status: "partial" },
      { of: "v2", status: "accepted" },
    ],
  ],
  [
    false,
    "v1 failed in two ways",
    [
      { of: "v1", status: "partial" },
      { of: "v1", status: "blocked" },
    ],
  ],
  [
    false,
    "no version is known",
    [{ status: "accepted" }, { status: "partial" }, { status: "accepted" }],
  ],
] as const)("over several runs: flaky is %s where %s", (expected, _, runs) => {
  expect(isFlaky(runs)).toBe(expected);
});

it("counts the worst conversation of an open dialogue as a whole", () => {
  const talk = (status: string, question: string, turns = "accepted") =>
    run([
      step("turn_1", turns, { dialogue: "turn", questionTemplate: question, criticality: "info" }),
      step("goal", status, { dialogue: "goal" }),
    ]);
  const folded = fold(talk("accepted", "One?", "partial"), talk("partial", "Two?"));
  expect(folded.steps.map((one) => one.questionTemplate)).toEqual(["Two?", undefined]);
  expect(folded.steps[0]).not.toHaveProperty("repeats");
  expect(folded.steps[1]).toMatchObject({ flaky: true, repeats: { passed: 1, of: 2 } });
  const never = fold(talk("partial", "One?"), talk("partial", "Two?"));
  expect(never.steps[1]).toMatchObject({ repeats: { passed: 0, of: 2 } });
  expect(never.steps[1]).not.toHaveProperty("flaky");
});

it.each([
  [0, 4, 0, 0.49],
  [3, 5, 0.231, 0.882],
  [5, 5, 0.566, 1],
  [95, 100, 0.888, 0.978],
])("%i of %i passes with Wilson's interval", (passed, of, from, to) => {
  const interval = passInterval({ passed, of });
  expect(interval.from).toBeCloseTo(from, 3);
  expect(interval.to).toBeCloseTo(to, 3);
});

it("is said in one line", () => {
  expect(describeRepeats({ passed: 3, of: 5 })).toBe("passed 3 of 5 (23–88 %)");
});

it("counts a worse status for more than any number of findings", () => {
  const noisy = step("a", "partial", { findings: [finding("P0"), finding("P0")] });
  const blocked = step("a", "blocked");
  expect(fold(run([noisy]), run([blocked])).steps[0]).toMatchObject({ status: "blocked" });
});
