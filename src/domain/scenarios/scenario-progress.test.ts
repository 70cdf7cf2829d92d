import { expect, test } from "vitest";
import { NO_EXPECTATIONS, type Step } from "./manifest.ts";
import { advanceProgress, planStep, recordStep, startProgress } from "./scenario-progress.ts";
import type { StepExecution } from "./step-status.ts";

const step = (stepId: string, question: string, dependsOn: readonly string[] = []): Step => ({
  stepId,
  title: stepId,
  question,
  dependsOn,
  criticality: "critical",
  expectations: NO_EXPECTATIONS,
  semanticTags: [],
});
const usable = () => true;
const stock = step("stock", "What is in stock on {{bindings.day}}?");
const supplier = step("supplier", "Who supplied {{stock.entries[0].item}}?", ["stock"]);
const answered: StepExecution = {
  kind: "answered",
  answer: {
    text: "Two items.\n- Oak desk: 5\n- Lamp: 3",
    sessionId: "s1",
    debug: { rows: 2 },
    entries: [],
    semanticMemory: { set: "rs-1" },
    raw: {},
  },
};

test("an answer feeds the later questions, and the session goes on", () => {
  const progress = advanceProgress(startProgress({ day: "2024-03-31" }), stock, answered);
  expect(progress.sessionId).toBe("s1");
  expect(planStep(supplier, progress, usable)).toMatchObject({
    kind: "ask",
    step: { question: "Who supplied Oak desk?" },
    reference: { stepId: "stock" },
  });
  expect(planStep(step("set", "Show {{semantic_memory.set}}"), progress, usable)).toMatchObject({
    kind: "ask",
    step: { question: "Show rs-1" },
  });
  const quiet: StepExecution = {
    kind: "answered",
    answer: { text: "Yes", debug: {}, entries: [], semanticMemory: {}, raw: {} },
  };
  expect(advanceProgress(progress, supplier, quiet).semanticMemory).toEqual({ set: "rs-1" });
});

test("a step is held to the one it depends on, else to the one before it", () => {
  const asked = ["stock", "sales", "prices"].map((id) => step(id, "What?"));
  const progress = asked.reduce(
    (before, one) => advanceProgress(before, one, answered),
    startProgress({}),
  );
  expect(planStep(step("more", "And?", ["sales"]), progress, usable)).toMatchObject({
    reference: { stepId: "sales" },
  });
  expect(planStep(step("more", "And?"), progress, usable)).toMatchObject({
    reference: { stepId: "prices" },
  });
});

test("a failed step skips what depends on it and names what refers to it; the rest goes on", () => {
  const failed: StepExecution = {
    kind: "failed",
    failure: { kind: "timed_out", message: "slow", accepted: true },
  };
  const progress = advanceProgress(startProgress({ day: "2024-03-31" }), stock, failed);
  expect(planStep(supplier, progress, usable)).toEqual({ kind: "skipped", because: "stock" });
  expect(planStep({ ...supplier, dependsOn: [] }, progress, usable)).toEqual({
    kind: "unresolved",
    problem: { expression: "stock.entries[0].item", reason: "step_without_answer" },
  });
  expect(planStep(step("sales", "What was sold?"), progress, usable).kind).toBe("ask");
});

test("the record keeps the question as written and as asked", () => {
  const record = recordStep(
    supplier,
    { ...supplier, question: "Who supplied Oak desk?" },
    { execution: answered, judgement: { status: "accepted", findings: [] } },
  );
  expect(record).toMatchObject({
    questionTemplate: supplier.question,
    questionResolved: "Who supplied Oak desk?",
    placeholderRoots: ["stock"],
    execution: "answered",
  });
});
