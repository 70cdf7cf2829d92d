import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRuns, hasRegression } from "./divergence.ts";
import { DEFAULT_SEVERITY } from "./finding.ts";
import { collectRepairTargets } from "./repair-targets.ts";
import { foldRepeats } from "./repeats.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "./reviews.ts";
import type { PackRecord, ScenarioRecord, StepRecord } from "./run-record.ts";
import { STATUSES, type Status } from "./step-status.ts";

function step(stepId: string, change: Partial<StepRecord> = {}): StepRecord {
  return {
    stepId,
    title: stepId,
    criticality: "critical",
    dependsOn: [],
    placeholderRoots: [],
    carryoverInvariants: [],
    questionTemplate: `What about ${stepId}?`,
    questionResolved: `What about ${stepId}?`,
    execution: "answered",
    answerText: "Nordholz.",
    status: "accepted",
    findings: [],
    ...change,
  };
}

const P0 = {
  invariant: "direct_answer_first",
  severity: "P0",
  expectation: "Nordholz",
  evidence: "Let me see",
  visible: true,
} as const;
const P1 = {
  invariant: "object_memory",
  severity: "P1",
  expectation: "focus",
  evidence: "absent",
  visible: false,
} as const;

function scenario(steps: readonly StepRecord[], scenarioId = "supplier_chain"): ScenarioRecord {
  return { scenarioId, domain: "suppliers", title: "Suppliers", steps };
}

function pack(...scenarios: readonly ScenarioRecord[]): PackRecord {
  return { packId: "shop", title: "The shop", scenarios };
}

const chain = [
  step("stock"),
  step("supplier", { placeholderRoots: ["stock"] }),
  step("address", { dependsOn: ["supplier"] }),
  step("sales"),
  step("price", { carryoverInvariants: ["item"] }),
];

test("the first difference is named, and what follows from it is separated from what does not", () => {
  const broken = new Set(["stock", "supplier", "address", "sales"]);
  const after = chain.map((one) =>
    broken.has(one.stepId) ? { ...one, answerText: "Acme.", status: "partial" as const } : one,
  );
  const comparison = compareRuns(pack(scenario(chain)), pack(scenario(after)));
  expect(comparison.divergences).toEqual([
    {
      scenarioId: "supplier_chain",
      firstStep: "stock",
      differs: ["answer", "status"],
      consequences: ["supplier", "address"],
      independent: ["sales"],
    },
  ]);
  expect(comparison.worse.map((change) => change.stepId)).toEqual([
    "stock",
    "supplier",
    "address",
    "sales",
  ]);
  expect(compareRuns(pack(scenario(after)), pack(scenario(chain))).better).toHaveLength(4);
  expect(hasRegression(pack(scenario(chain)), pack(scenario(after)))).toBe(true);
  expect(hasRegression(pack(scenario(after)), pack(scenario(chain)))).toBe(false);
});

test.each([
  ["question", { questionResolved: "What about lamps?" }],
  ["reply_type", { replyType: "clarification_required" }],
] as const)("a step may differ in its %s alone", (part, change) => {
  const after = chain.map((one, index) => (index === 3 ? { ...one, ...change } : one));
  expect(compareRuns(pack(scenario(chain)), pack(scenario(after))).divergences).toMatchObject([
    { firstStep: "sales", differs: [part] },
  ]);
});

test("the same problem of the same question is one target of the worse severity", () => {
  const milder = { ...P0, severity: "P1" as const, evidence: "late" };
  const record = pack(scenario([step("stock", { findings: [milder, P0] })]));
  expect(collectRepairTargets(record, {})).toMatchObject([
    { severity: "P0", evidence: `${P0.evidence}; late`, occurrences: [{ stepId: "stock" }] },
  ]);
});

test("a carried scope makes the next step a consequence", () => {
  const after = chain.map((one) =>
    one.stepId === "sales" || one.stepId === "price" ? { ...one, answerText: "Other" } : one,
  );
  expect(
    compareRuns(pack(scenario(chain)), pack(scenario(after))).divergences[0]?.consequences,
  ).toEqual(["price"]);
});

test("steps of only one run are listed; equal runs do not diverge", () => {
  const shorter = pack(scenario(chain.slice(0, 4)));
  const comparison = compareRuns(pack(scenario(chain)), shorter);
  expect(comparison).toEqual({
    divergences: [],
    better: [],
    worse: [],
    onlyBefore: ["supplier_chain/price"],
    onlyAfter: [],
  });
});

test("comparing the other way round swaps better and worse", () => {
  const statuses = fc.array(fc.constantFrom(...STATUSES), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(statuses, statuses, (left, right) => {
      const make = (list: readonly Status[]) =>
        pack(scenario(chain.map((one, index) => ({ ...one, status: list[index] ?? "blocked" }))));
      const there = compareRuns(make(left), make(right));
      const back = compareRuns(make(right), make(left));
      expect(there.better.map((one) => one.stepId)).toEqual(back.worse.map((one) => one.stepId));
    }),
  );
});

test("repeats count as their worst run and differing ones are flaky", () => {
  const bad = scenario([step("stock", { status: "partial", findings: [P0] }), step("supplier")]);
  const good = scenario([step("stock"), step("supplier")]);
  const folded = foldRepeats([good, bad, good]);
  expect(folded.steps.map((one) => [one.status, one.flaky ?? false])).toEqual([
    ["partial", true],
    ["accepted", false],
  ]);
});

test("folding repeats gives the same statuses in any order and never a better one", () => {
  const statuses = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(statuses, (list) => {
      const [first, ...rest] = list.map((status) => scenario([step("stock", { status })]));
      if (first === undefined) return;
      const folded = foldRepeats([first, ...rest]).steps[0]?.status;
      const worst = Math.max(...list.map((status) => STATUSES.indexOf(status)));
      expect(folded).toBe(STATUSES[worst]);
    }),
  );
});

test("the backlog has each problem of a question in its place, worst first, with its files", () => {
  const asked = {
    questionResolved: "Who supplied the desk?",
    findings: [P0, P1],
    status: "partial" as const,
  };
  const record = pack(
    scenario([step("supplier", { ...asked, findings: [P1] })], "one"),
    scenario([step("who", { ...asked, questionResolved: "who supplied the DESK" })], "two"),
    scenario([step("extra", { criticality: "info", findings: [P0] })], "three"),
  );
  const targets = collectRepairTargets(record, { direct_answer_gap: ["src/answers/**"] });
  expect(
    targets.map((target) => [target.severity, target.problemType, target.occurrences.length]),
  ).toEqual([
    ["P0", "direct_answer_gap", 1],
    ["P1", "object_memory_gap", 1],
    ["P1", "object_memory_gap", 1],
    ["P2", "direct_answer_gap", 1],
  ]);
  expect(targets[0]).toMatchObject({
    candidateFiles: ["src/answers/**"],
    visibleAnswer: "Nordholz.",
    fixGoal: "Put the answer itself on line 1.",
  });
});

test("the truth review counts every check, the business review only what is visible", () => {
  const record = pack(
    scenario([step("supplier", { status: "partial", findings: [P1] }), step("who")]),
  );
  const truth = reviewTruth(record);
  const business = reviewBusiness(record);
  expect(truth.summary).toEqual({
    overallStatus: "fail",
    steps: 2,
    failedSteps: 1,
    unresolvedP0: 0,
    unresolvedP1: 1,
  });
  expect(business).toMatchObject({
    overallBusinessStatus: "pass",
    businessAnswerFailures: 0,
    directAnswerOk: true,
  });
  expect(decideAcceptance(record, truth, business).reasons).toEqual([
    "final status is partial",
    "the truth review does not pass",
  ]);
});

test("a clean pack passes; info steps do not count, an empty pack does not pass", () => {
  const info = step("extra", {
    criticality: "info",
    status: "blocked",
    execution: "failed",
    findings: [P0],
  });
  const record = pack(scenario([step("supplier"), info]));
  expect(decideAcceptance(record, reviewTruth(record), reviewBusiness(record))).toEqual({
    passed: true,
    finalStatus: "accepted",
    unresolvedP0: 0,
    reasons: [],
  });
  const empty = pack();
  expect(decideAcceptance(empty, reviewTruth(empty), reviewBusiness(empty)).passed).toBe(false);
});

test("a step that was never answered fails both reviews", () => {
  const record = pack(
    scenario([
      step("supplier", {
        status: "blocked",
        execution: "failed",
        findings: [{ ...P0, invariant: "transport" }],
      }),
    ]),
  );
  expect(reviewTruth(record).summary.overallStatus).toBe("fail");
  expect(reviewBusiness(record).overallBusinessStatus).toBe("fail");
});

test("every invariant has a problem type", () => {
  for (const invariant of Object.keys(DEFAULT_SEVERITY) as (keyof typeof DEFAULT_SEVERITY)[]) {
    const record = pack(scenario([step("supplier", { findings: [{ ...P0, invariant }] })]));
    expect(collectRepairTargets(record, {})[0]?.problemType).toMatch(/_gap$/);
  }
});
