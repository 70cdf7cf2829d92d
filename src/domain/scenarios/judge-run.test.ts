import { expect, test } from "vitest";
import type { PanelRule } from "../drafting/panel.ts";
import { deriveVerdict } from "./derived-verdict.ts";
import { type AnalystAnswer, judgeRun } from "./judge-run.ts";
import type { RepairTarget } from "./repair-targets.ts";
import type { PackRecord, StepRecord } from "./run-record.ts";
import type { AnalystVerdict } from "./verdict.ts";
import { PACK_GATE } from "./verdict-gate.ts";

const step: StepRecord = {
  stepId: "stock",
  title: "Stock",
  criticality: "critical",
  dependsOn: [],
  placeholderRoots: [],
  carryoverInvariants: [],
  questionTemplate: "How many?",
  questionResolved: "How many?",
  execution: "answered",
  answerText: "5 pieces.",
  status: "accepted",
  findings: [],
};
const record: PackRecord = {
  ...{ packId: "shop", title: "Shop" },
  scenarios: [{ scenarioId: "one", domain: "d", title: "One", steps: [step] }],
};
const says = (name: string, change: Partial<AnalystVerdict> = {}): AnalystAnswer => ({
  ...{ name, model: "a/b" },
  reading: {
    ...{ kind: "read", signature: { how: "bare" } },
    verdict: { ...deriveVerdict(record, []), ...change },
  },
});
const objects = { qualityScore: 40, loopDecision: "partial" } as const;
const absent: AnalystAnswer = { name: "money", model: "a/b" };
const judge = (panel: PanelRule, ...answers: readonly AnalystAnswer[]) =>
  judgeRun(record, {}, { answers, rules: PACK_GATE, panel });

test.each<[PanelRule, boolean, readonly AnalystAnswer[]]>([
  ["all", true, [says("legal"), says("money")]],
  ["all", false, [says("legal"), absent]],
  ["all", false, [says("legal"), says("money", objects)]],
  ["majority", true, [says("legal"), says("sales"), says("money", objects)]],
  ["majority", false, [says("legal"), absent]],
  ["any", true, [says("legal"), says("money", objects)]],
  ["any", false, [says("legal", { requiresUserDecision: true }), says("money")]],
])("several analysts under the rule %s: accepted is %s", (rule, accepted, answers) => {
  expect(judge(rule, ...answers)).toMatchObject({ accepted, vote: { rule } });
});

test("one analyst with a P0 is enough against the rule any", () => {
  const target = {
    severity: "P0",
    problemType: "gap",
    fixGoal: "Fix it",
    candidateFiles: [],
  } as const;
  const judged = judge("any", says("legal"), says("money", { priorityTargets: [target] }));
  expect(judged.accepted).toBe(false);
  expect(judged.reasons[0]).toBe("the analysts: rule any; approved: legal; objected: money");
});

test("the lowest score of several analysts is the score of the run", () => {
  const answers = [says("legal"), says("sales", { qualityScore: 9 }), says("money", objects)];
  expect(judge("any", ...answers, absent)).toMatchObject({ accepted: true, score: 9 });
});

test("no vote accepts what a check refuses", () => {
  const failing = { ...step, status: "partial" as const };
  const broken = { ...record, scenarios: [{ ...record.scenarios[0]!, steps: [failing] }] };
  const answers = [says("legal"), says("money")];
  const judged = judgeRun(broken, {}, { answers, rules: PACK_GATE, panel: "any" });
  expect(judged.accepted).toBe(false);
});

test("the offline analyst shows the first answer that failed, and accepts nothing over live targets", () => {
  const failed: StepRecord = { ...step, stepId: "price", status: "blocked", answerText: "\nHm.\n" };
  const scenarios = record.scenarios.map((one) => ({ ...one, steps: [step, failed] }));
  expect(deriveVerdict({ ...record, scenarios }, [])).toMatchObject({
    ...{ actualDirectAnswer: "Hm.", qualityScore: 50 },
    summary: "1 of 2 counted steps pass all checks.",
  });
  const target = { severity: "P1", occurrences: [] } as unknown as RepairTarget;
  expect(deriveVerdict(record, [target])).toMatchObject({ qualityScore: 79 });
  expect(deriveVerdict(record, [])).toMatchObject({
    ...{ actualDirectAnswer: "5 pieces.", qualityScore: 100, loopDecision: "accepted" },
  });
});
