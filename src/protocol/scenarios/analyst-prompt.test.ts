import { expect, test } from "vitest";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import { type AnalystTask, renderAnalystPrompt } from "./analyst-prompt.ts";

const step = (stepId: string, answerText: string, fails: boolean): StepRecord => ({
  ...{ stepId, title: stepId, questionTemplate: `What about ${stepId}?`, answerText },
  ...{ criticality: "critical", dependsOn: [], placeholderRoots: [], carryoverInvariants: [] },
  ...{ execution: "answered", status: fails ? "partial" : "accepted" },
  findings: fails
    ? [
        {
          ...{ invariant: "field_truth", severity: "P0", visible: true },
          ...{ expectation: "31 March", evidence: answerText },
        },
      ]
    : [],
});

const rendered = (steps: readonly StepRecord[], more: Partial<AnalystTask> = {}) =>
  renderAnalystPrompt({
    kind: "analyse-pack",
    run: {
      packId: "shop",
      title: "Shop",
      scenarios: [{ scenarioId: "desk", domain: "shop", title: "Desk", steps }],
    },
    targets: [],
    nonce: "c0de",
    ...more,
  });

const prompt = (steps: readonly StepRecord[], contract?: string) =>
  rendered(steps, contract === undefined ? {} : { contract }).user;

test("a run that fits is shown whole", () => {
  const text = prompt([step("a", "x".repeat(20_000), false)]);
  expect(text).toContain("x".repeat(20_000));
  expect(text).not.toContain("too long");
});

test("answers of 24 MB are cut by one rule, failed ones less, and the prompt says so", () => {
  const long = "y".repeat(80_000);
  const steps = Array.from({ length: 300 }, (_, at) => step(`s${at}`, long, at % 10 === 0));
  const text = prompt(steps);
  expect(text.length).toBeLessThan(320_000);
  expect(text).toContain("The run is too long to be shown whole.");
  expect(text).toMatch(/y… \(\+\d+\)/u);
  expect(text).toContain("What about s299?");
});

test("what the stage promises reaches the analyst", () => {
  const text = prompt([step("a", "5", false)], "# This stage\nSuppliers for any date.");
  expect(text).toContain("What it is held against:\n# This stage\nSuppliers for any date.");
});

test("the form goes along as a schema, and what is asked later leaves the beginning as it was", () => {
  const steps = [step("a", "5", false)];
  const first = rendered(steps);
  expect(first.replySchema).toMatchObject({ type: "object", additionalProperties: false });
  expect(first.stablePrefix).toBe(first.user.length);
  const repair = rendered(steps, { repair: { problems: ["no score"], text: "{}" } });
  expect(repair.user.slice(0, repair.stablePrefix)).toBe(first.user);
  const question = rendered(steps, { question: { beside: "but check the date" } });
  expect(question.replySchema).toBeUndefined();
});

test("shows one of several analysts the run, what is known of it, and what was wrong with the last reply", () => {
  const target = {
    ...({ targetId: "t", severity: "P1", problemType: "field_truth", question: "When?" } as const),
    ...{ visibleAnswer: "In May.", expectation: "31 March", evidence: "In May." },
    ...{ fixGoal: "Say the date.", candidateFiles: [], occurrences: [] },
  };
  const { user } = rendered([step("a", "In May.", true)], {
    ...{ contract: "Dates are exact.", targets: [target], decisions: ["Ada: net", "Bo: go on"] },
    member: { name: "strict", criteria: "Dates first." },
    repair: { problems: ["no verdict", "no score"], text: "Fine!" },
    question: { beside: "Nearly." },
  });
  expect(user.replace(/^\{"\$schema".*\}$/mu, "{…}")).toMatchInlineSnapshot(`
    "You are the analyst "strict", one of several. Dates first.

    Pack shop: Shop

    What it is held against:
    Dates are exact.

    <<run c0de>>
    [
     {
      "scenario_id": "desk",
      "domain": "shop",
      "title": "Desk",
      "steps": [
       {
        "step_id": "a",
        "criticality": "critical",
        "depends_on": [],
        "question": "What about a?",
        "visible_answer": "In May.",
        "reply_type": null,
        "status": "partial",
        "findings": [
         {
          "severity": "P0",
          "invariant": "field_truth",
          "expectation": "31 March",
          "evidence": "In May."
         }
        ]
       }
      ]
     }
    ]
    <<end run c0de>>

    <<findings of the checks c0de>>
    [
     {
      "severity": "P1",
      "problem_type": "field_truth",
      "question": "When?",
      "expectation": "31 March",
      "evidence": "In May."
     }
    ]
    <<end findings of the checks c0de>>

    Decided by people, and not to be asked again:
    - Ada: net
    - Bo: go on

    Schema of the reply:
    {…}

    Your last reply could not be used: no verdict; no score. Give the whole verdict again.
    <<last reply c0de>>
    "Fine!"
    <<end last reply c0de>>

    Your last reply accepted the run, but this came with it:
    <<last reply c0de>>
    "Nearly."
    <<end last reply c0de>>
    Only a bare acceptance counts. Decide now:
    1. If anything of this, or anything else, has to be repaired: give the whole verdict again, with its targets.
    2. If nothing has to be repaired: reply with exactly {"verdict":"ok"}"
  `);
  const alone = rendered([], { member: { name: "strict" } }).user;
  expect(alone).toMatch(/^You are the analyst "strict", one of several\.\n\nPack shop: Shop\n/u);
});
