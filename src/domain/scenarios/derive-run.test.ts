import { expect, test } from "vitest";
import { askedQuestions } from "./asked-questions.ts";
import { DEFAULT_CHECK_RULES } from "./check-rules.ts";
import { derivePackRun, type RecordedAnswer, type RunEvidence } from "./derive-run.ts";
import { NO_EXPECTATIONS, type Scenario, type Step } from "./manifest.ts";

const how = {
  rules: DEFAULT_CHECK_RULES,
  matches: (pattern: string, text: string) => new RegExp(pattern, "u").test(text),
  isUsable: () => true,
};
const step = (stepId: string, question: string, pattern: string): Step => ({
  ...{ stepId, question, title: stepId, dependsOn: [], criticality: "critical", semanticTags: [] },
  expectations: { ...NO_EXPECTATIONS, requiredAnswerPatternsAll: [pattern] },
});
const scenario: Scenario = {
  ...{ scenarioId: "stock", domain: "shop", title: "Stock", description: "" },
  ...{ bindings: {}, analysisContext: {} },
  steps: [
    step("desks", "How many desks?", "^5"),
    step("who", "Who sold {{desks.entries[0].item}}?", "Nordholz"),
  ],
};
const answer = (question: string, text: string, second = 1): RecordedAnswer => ({
  question,
  startedAt: `2026-11-15T12:00:0${second}.000Z`,
  finishedAt: `2026-11-15T12:00:0${second}.500Z`,
  outcome: {
    kind: "answered",
    answer: {
      text,
      sessionId: "s",
      debug: {},
      entries: [{ item: "Oak desk" }],
      semanticMemory: {},
      raw: {},
    },
  },
});
const desks = answer("How many desks?", "5 pieces.");
const who = answer("Who sold Oak desk?", "Nordholz did.", 2);
const evidence = (
  answers: readonly (readonly [string, RecordedAnswer])[],
  change: Partial<RunEvidence> = {},
): RunEvidence => ({
  ...{ runId: "r-1", packId: "shop", title: "Shop", fileHints: {} },
  scenarios: [{ scenario, repeats: [{ answers: new Map(answers) }] }],
  recorded: { accepted: true, reasons: [] },
  changedFiles: [],
  ...change,
});
const whole = [
  ["desks", desks],
  ["who", who],
] as const;

test("a run is accepted on its recorded answers", () => {
  expect(derivePackRun(evidence(whole), how)).toMatchObject({
    accepted: true,
    reasons: [],
    deciders: [],
    startedAt: desks.startedAt,
    record: { scenarios: [{ steps: [{ status: "accepted" }, { status: "accepted" }] }] },
  });
});

test.each<[string, RunEvidence, string]>([
  ["an answer that is not recorded", evidence([["desks", desks]]), "no answer to stock/who"],
  [
    "answers of two steps swapped",
    evidence([
      ["desks", who],
      ["who", desks],
    ]),
    "final status is blocked",
  ],
  [
    "a worse answer than the headline says",
    evidence([
      ["desks", answer("How many desks?", "Hm.")],
      ["who", who],
    ]),
    "final status is partial",
  ],
  [
    "one repeat less than was played",
    evidence([], {
      scenarios: [{ scenario, repeats: [{ answers: new Map(whole) }, { answers: new Map() }] }],
    }),
    "no answer to stock/desks",
  ],
  [
    "a run that was refused when it ended",
    evidence(whole, { recorded: { accepted: false, reasons: ["1 unresolved P0"] } }),
    "when the run ended: 1 unresolved P0",
  ],
  [
    "a changed file",
    evidence(whole, { changedFiles: [{ name: "pack_state.json", isMissing: false }] }),
    "pack_state.json was changed after the run",
  ],
  ["analysts that have not judged", evidence(whole, { analysts: "awaited" }), "not judged yet"],
])("%s is not accepted", (_, tampered, reason) => {
  const { accepted, reasons } = derivePackRun(tampered, how);
  expect(accepted).toBe(false);
  expect(reasons.join("\n")).toContain(reason);
});

test("a run that has not ended is not accepted", () => {
  const { recorded: _, ...running } = evidence(whole);
  expect(derivePackRun(running, how)).toMatchObject({
    accepted: false,
    reasons: ["the run has not ended"],
  });
});

test("titles, tags and notes prove nothing and cost nothing; questions, expectations and severities count", () => {
  const [first, second] = scenario.steps as [Step, Step];
  const same = { ...scenario, title: "Other", description: "Words", domain: "else" };
  const asked = askedQuestions([scenario]);
  expect(askedQuestions([{ ...same, steps: [{ ...first, title: "t", notes: "n" }, second] }])).toBe(
    asked,
  );
  const weaker: readonly Partial<Step>[] = [
    { question: "How many?" },
    { criticality: "info" },
    { expectations: NO_EXPECTATIONS },
    {
      expectations: { ...first.expectations, invariantSeverity: { required_answer_content: "P2" } },
    },
  ];
  for (const change of weaker) {
    const steps = [{ ...first, ...change }, second];
    expect(askedQuestions([{ ...scenario, steps }])).not.toBe(asked);
  }
});
