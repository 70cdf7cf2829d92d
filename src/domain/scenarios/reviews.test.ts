import { expect, test } from "vitest";
import { deriveVerdict } from "./derived-verdict.ts";
import type { Finding } from "./finding.ts";
import { handOver } from "./hand-off.ts";
import { collectRepairTargets } from "./repair-targets.ts";
import { decideAcceptance, reviewBusiness, reviewTruth } from "./reviews.ts";
import type { PackRecord, ScenarioRecord, StepRecord } from "./run-record.ts";

const talk: Finding = {
  invariant: "direct_answer_first",
  severity: "P0",
  expectation: "Lumen Works",
  evidence: "Let me see",
  visible: true,
};
const internals: Finding = { ...talk, invariant: "technical_garbage", severity: "P1" };
const internalsFirst: Finding = { ...talk, invariant: "technical_garbage_first_line" };

function asked(findings: readonly Finding[]): StepRecord {
  return {
    stepId: "supplier",
    title: "The supplier",
    criticality: "critical",
    dependsOn: [],
    placeholderRoots: [],
    carryoverInvariants: [],
    questionTemplate: "Who supplied the lamp?",
    questionResolved: "Who supplied the lamp?",
    execution: "answered",
    answerText: "Let me see",
    status: "partial",
    findings,
  };
}

function scenario(scenarioId: string, findings: readonly Finding[]): ScenarioRecord {
  return { scenarioId, domain: "suppliers", title: "Suppliers", steps: [asked(findings)] };
}

const shop: PackRecord = {
  packId: "shop",
  title: "The shop",
  scenarios: [
    scenario("stock", [talk, internalsFirst, internals]),
    scenario("sales", [talk, internals]),
  ],
};

test("a step without an answer passes no review, whatever was found of it", () => {
  const silent = { ...asked([]), execution: "skipped" as const };
  const { scenarios } = shop;
  const run = { ...shop, scenarios: [{ ...scenarios[0]!, steps: [silent] }] };
  expect(reviewTruth(run).summary.overallStatus).toBe("fail");
  expect(reviewBusiness(run).overallBusinessStatus).toBe("fail");
});

test("one broken step in ten keeps the derived score below the gate", () => {
  const fine = { ...asked([]), status: "accepted" as const };
  const steps = [asked([talk]), ...Array.from({ length: 9 }, () => fine)];
  const run = { ...shop, scenarios: [{ ...shop.scenarios[0]!, steps }] };
  expect(deriveVerdict(run, collectRepairTargets(run, {}))).toMatchObject({
    qualityScore: 79,
    loopDecision: "partial",
  });
});

test("every number of open P0 and P1 is the number of repairs that the hand-off lists", () => {
  const targets = collectRepairTargets(shop, {});
  const truth = reviewTruth(shop);
  const gate = decideAcceptance(shop, truth, reviewBusiness(shop));
  const handOff = handOver(targets, {
    title: shop.title,
    reasons: gate.reasons,
    hints: {},
    validationCommand: "signoff stage run --manifest stage.yaml",
  });
  expect(handOff.targets.map(({ severity }) => severity)).toEqual(["P0", "P0", "P0", "P1"]);
  expect(handOff.reasons).toContain("3 unresolved P0");
  expect(truth.summary).toMatchObject({ unresolvedP0: 3, unresolvedP1: 1 });
  expect(gate.unresolvedP0).toBe(3);
  expect(deriveVerdict(shop, targets).unresolvedP0Count).toBe(3);
});

test("the business review names what it saw, and acceptance every reason against it", () => {
  const of = (...findings: readonly Finding[]) => ({
    ...shop,
    scenarios: [scenario("s", findings)],
  });
  const clean = { ...asked([]), status: "accepted" as const };
  const good = { ...shop, scenarios: [{ ...scenario("s", []), steps: [clean] }] };
  expect(reviewBusiness(good)).toMatchObject({
    overallBusinessStatus: "pass",
    directAnswerOk: true,
    technicalGarbagePresent: false,
  });
  expect(reviewBusiness(of(talk))).toMatchObject({
    directAnswerOk: false,
    technicalGarbagePresent: false,
  });
  expect(reviewBusiness(of(internalsFirst))).toMatchObject({
    directAnswerOk: true,
    technicalGarbagePresent: true,
  });
  expect(reviewBusiness({ ...shop, scenarios: [] }).overallBusinessStatus).toBe("fail");
  const decided = (pack: PackRecord) =>
    decideAcceptance(pack, reviewTruth(pack), reviewBusiness(pack));
  expect(decided(good)).toMatchObject({ passed: true, reasons: [] });
  expect(decided(of(talk)).reasons).toEqual([
    "final status is partial",
    "the truth review does not pass",
    "the business review does not pass",
    "1 unresolved P0",
  ]);
});

test("a repair shows the answered turns before the failure, or only those that it depends on", () => {
  const turn = (stepId: string, change: Partial<StepRecord> = {}): StepRecord => ({
    ...asked([]),
    ...{ stepId, questionResolved: `${stepId}?`, answerText: `${stepId}.`, ...change },
  });
  const before = (...dependsOn: readonly string[]) => {
    const steps = [
      turn("stock"),
      turn("price"),
      turn("skipped", { execution: "skipped" }),
      turn("failed", { findings: [talk], dependsOn }),
      turn("later"),
    ];
    const run = { ...shop, scenarios: [{ ...shop.scenarios[0]!, steps }] };
    return collectRepairTargets(run, {})[0]?.before;
  };
  const stock = { question: "stock?", answer: "stock." };
  const price = { question: "price?", answer: "price." };
  expect(before()).toEqual([stock, price]);
  expect(before("price")).toEqual([price]);
});
