import { expect, test } from "vitest";
import type { Finding } from "../../domain/scenarios/finding.ts";
import { collectRepairTargets } from "../../domain/scenarios/repair-targets.ts";
import type { ScenarioRecord, StepRecord } from "../../domain/scenarios/run-record.ts";
import { renderRepairBrief } from "./repair-brief.ts";

const finding = (invariant: Finding["invariant"], more: Partial<Finding> = {}): Finding => ({
  invariant,
  severity: "P0",
  expectation: `what ${invariant} asks`,
  evidence: "something else",
  visible: true,
  ...more,
});

const step = (
  stepId: string,
  question: string,
  findings: readonly Finding[],
  more: Partial<StepRecord> = {},
): StepRecord => ({
  ...{ stepId, title: stepId, questionTemplate: question, questionResolved: question, findings },
  ...{ criticality: "critical", dependsOn: [], placeholderRoots: [], carryoverInvariants: [] },
  ...{ execution: "answered", answerText: `About ${stepId}.`, status: "partial" },
  ...more,
});

/** A chain whose second step forgets the date; the two after it follow from that. */
const chain = (scenarioId: string): ScenarioRecord => ({
  ...{ scenarioId, domain: "shop", title: scenarioId },
  steps: [
    step("stock", "How many desks on 31 March?", []),
    step("supplier", "Who supplied them then?", [finding("temporal_honesty")], {
      dependsOn: ["stock"],
    }),
    step("price", "At what price?", [finding("field_truth")], { dependsOn: ["supplier"] }),
    step("invoice", "Which invoice?", [finding("placeholder", { visible: false })], {
      placeholderRoots: ["price"],
      execution: "unresolved",
    }),
  ],
});

const many = Array.from({ length: 16 }, (_, at) => chain(`desk_${at + 1}`));
const pack = (scenarios: readonly ScenarioRecord[]) => ({ packId: "p", title: "P", scenarios });
const targetsOf = (scenarios: readonly ScenarioRecord[]) =>
  collectRepairTargets(pack(scenarios), {});
const brief = (scenarios: readonly ScenarioRecord[]) =>
  renderRepairBrief(targetsOf(scenarios), "all.json");

test("48 targets of one cause are one section that a person reads to the end", () => {
  const text = brief(many);
  expect(targetsOf(many)).toHaveLength(48);
  expect(text).toContain("48 targets of 1 cause; all.json has them all.");
  expect(text.match(/^## /gmu)).toHaveLength(1);
  expect(text.split("\n").length).toBeLessThan(60);
});

test("the first divergence comes first, with the turns that lead to it, then what follows", () => {
  const text = brief([chain("desk")]);
  const order = [
    "## 1. P0 temporal_honesty_gap: desk/supplier",
    "> user: How many desks on 31 March?",
    "> assistant: About stock.",
    "> Who supplied them then?",
    "Expected: what temporal_honesty asks",
    "Follows from it:",
    "- desk/price, P0 field_truth_gap",
    "- desk/invoice, P0 missing_observation_gap",
  ].map((part) => text.indexOf(part));
  expect(order).toEqual([...order].sort((left, right) => left - right));
  expect(order).not.toContain(-1);
});

test("the same wording in two scenarios stays two targets, each with its own place", () => {
  const twice = targetsOf([chain("desk"), chain("chair")]).filter(
    ({ problemType }) => problemType === "temporal_honesty_gap",
  );
  expect(twice.map(({ occurrences }) => occurrences)).toEqual([
    [{ scenarioId: "chair", stepId: "supplier" }],
    [{ scenarioId: "desk", stepId: "supplier" }],
  ]);
  expect(targetsOf([chain("desk")])[0]?.targetId).not.toContain("@");
});

test("two findings of one kind in one answer keep both expectations and both goals", () => {
  const both = [finding("required_answer_content"), finding("forbidden_answer_content")];
  const one = { ...chain("desk"), steps: [step("stock", "How many?", both)] };
  expect(targetsOf([one])).toMatchObject([
    {
      expectation: "what required_answer_content asks; what forbidden_answer_content asks",
      fixGoal: "Say what the question asks for. Leave out what must not be said.",
    },
  ]);
});

test("a later failure that depends on nothing that failed is a cause of its own", () => {
  const noise = finding("top_level_noise", { severity: "P1" });
  const desk = chain("desk");
  const steps = [...desk.steps, step("weather", "Is it raining?", [noise])];
  const text = brief([{ ...desk, steps }]);
  expect(text).toContain("## 2. P1 answer_noise_gap: desk/weather");
});

test("shows one cause in seven conversations, with all that belongs to it", () => {
  expect(brief(many.slice(0, 7))).toMatchInlineSnapshot(`
    "21 targets of 1 cause; all.json has them all.

    ## 1. P0 temporal_honesty_gap: desk_1/supplier and 6 more

    To reproduce, ask first in the same conversation:
    > user: How many desks on 31 March?
    > assistant: About stock.

    Question:
    > Who supplied them then?

    Visible answer:
    > About supplier.

    Expected: what temporal_honesty asks
    Seen: something else
    Goal: Answer for the date that was asked, or say that it is another.
    Candidate files: none known

    The same in:
    - desk_2/supplier, P0 temporal_honesty_gap: expected what temporal_honesty asks; seen: something else
    - desk_3/supplier, P0 temporal_honesty_gap: expected what temporal_honesty asks; seen: something else
    - desk_4/supplier, P0 temporal_honesty_gap: expected what temporal_honesty asks; seen: something else
    - desk_5/supplier, P0 temporal_honesty_gap: expected what temporal_honesty asks; seen: something else
    - desk_6/supplier, P0 temporal_honesty_gap: expected what temporal_honesty asks; seen: something else
    - and 1 more

    Follows from it:
    - desk_1/price, P0 field_truth_gap: expected what field_truth asks; seen: something else
    - desk_1/invoice, P0 missing_observation_gap: expected what placeholder asks; seen: something else
    - desk_2/price, P0 field_truth_gap: expected what field_truth asks; seen: something else
    - desk_2/invoice, P0 missing_observation_gap: expected what placeholder asks; seen: something else
    - desk_3/price, P0 field_truth_gap: expected what field_truth asks; seen: something else
    - and 9 more"
  `);
  expect(brief(many.slice(0, 6))).not.toContain("- and 0 more");
});

test("shows eight causes and counts the rest", () => {
  const [target] = targetsOf([chain("desk")]);
  const causes = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...target!, problemType: `gap_${at + 1}` }));
  const text = renderRepairBrief(causes(10), "all.json");
  expect(text.match(/^## /gmu)).toHaveLength(8);
  expect(text).toMatch(/\n\n2 further causes are in all\.json\.$/u);
  expect(renderRepairBrief(causes(8), "all.json")).not.toContain("further causes");
});
