import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parsedOrThrow } from "../../../contract/documents/file-problem.ts";
import { parsePack } from "../../../contract/scenarios/parse-manifest.ts";
import { DEFAULT_CHECK_RULES } from "../../../domain/scenarios/check-rules.ts";
import { bindingsOf, type Pack, type Scenario } from "../../../domain/scenarios/manifest.ts";
import {
  DEFAULT_QUESTION_THRESHOLDS,
  reviewQuestions,
} from "../../../domain/scenarios/question-quality.ts";
import { collectRepairTargets } from "../../../domain/scenarios/repair-targets.ts";
import {
  decideAcceptance,
  reviewBusiness,
  reviewTruth,
} from "../../../domain/scenarios/reviews.ts";
import {
  type PackRecord,
  packStatus,
  type StepRecord,
} from "../../../domain/scenarios/run-record.ts";
import {
  advanceProgress,
  planStep,
  recordStep,
  startProgress,
} from "../../../domain/scenarios/scenario-progress.ts";
import { judgeStep, type StepExecution } from "../../../domain/scenarios/step-status.ts";
import { CHECKED_SHAPES } from "../../../domain/scenarios/visible-checks.ts";
import { defined } from "../../../domain/values/defined.ts";
import { DEFAULT_ASSISTANT_SETTINGS } from "../assistant-settings.ts";
import { createAssistant } from "../create-assistant.ts";
import { checkPattern, createMatcher, isUsablePattern } from "../pattern-matcher.ts";
import { type DemoDefect, startDemoAssistant } from "./demo-assistant.ts";

const folder = new URL("../../../../examples/scenario-pack/", import.meta.url);
const source = (path: string) => ({
  file: path,
  text: readFileSync(new URL(path, folder), "utf8"),
});
const pack = parsedOrThrow(parsePack(source("pack.yaml"), { checkPattern, readScenario: source }), {
  code: "bad-manifest",
});
const how = { rules: DEFAULT_CHECK_RULES, matches: createMatcher() };

async function play(scenario: Scenario, of: Pack, where: { url: string; timeoutMs: number }) {
  const assistant = createAssistant({
    ...DEFAULT_ASSISTANT_SETTINGS,
    baseUrl: where.url,
    timeoutMs: where.timeoutMs,
    retries: 0,
  });
  const steps: StepRecord[] = [];
  let progress = startProgress(bindingsOf(of, scenario));
  for (const step of scenario.steps) {
    const planned = planStep(step, progress, isUsablePattern);
    const { sessionId } = progress;
    const execution: StepExecution =
      planned.kind !== "ask"
        ? planned
        : {
            ...defined({ reference: planned.reference }),
            ...(await assistant.send(
              {
                question: planned.step.question,
                analysisContext: scenario.analysisContext,
                ...defined({ sessionId }),
              },
              new AbortController().signal,
            )),
          };
    const asked = planned.kind === "ask" ? planned.step : undefined;
    steps.push(
      recordStep(step, asked, { execution, judgement: judgeStep(asked ?? step, execution, how) }),
    );
    progress = advanceProgress(progress, step, execution);
  }
  return { scenarioId: scenario.scenarioId, domain: scenario.domain, title: scenario.title, steps };
}

async function replay(defects: readonly DemoDefect[]): Promise<PackRecord> {
  const demo = await startDemoAssistant({ defects });
  onTestFinished(() => demo.close());
  const scenarios = [];
  for (const scenario of pack.scenarios)
    scenarios.push(
      await play(scenario, pack, {
        url: demo.url,
        timeoutMs: defects.includes("slow") ? 100 : 30_000,
      }),
    );
  return { packId: pack.packId, title: pack.title, scenarios };
}

const invariantsOf = (run: PackRecord) =>
  new Set(
    run.scenarios.flatMap((scenario) =>
      scenario.steps
        .filter((step) => step.criticality !== "info")
        .flatMap((step) => step.findings.map((finding) => finding.invariant)),
    ),
  );

test("the example pack is worth a live run", () => {
  const review = reviewQuestions(pack, {
    thresholds: DEFAULT_QUESTION_THRESHOLDS,
    locale: "en",
    outputDir: "artifacts/domain_runs/shop_pack",
    checkedShapes: CHECKED_SHAPES,
  });
  expect(review.problems).toEqual([]);
  expect(review).toMatchObject({ rating: "strong", measures: { questions: 20 } });
});

test("the healthy assistant is accepted", async () => {
  const run = await replay([]);
  expect(collectRepairTargets(run, {}).filter((target) => target.severity !== "P2")).toEqual([]);
  expect(decideAcceptance(run, reviewTruth(run), reviewBusiness(run))).toEqual({
    passed: true,
    finalStatus: "accepted",
    unresolvedP0: 0,
    reasons: [],
  });
});

test.each<[DemoDefect, string, string]>([
  ["carryover", "edge_carryover", "temporal_honesty"],
  ["temporal", "temporal_honesty", "edge_carryover"],
  ["direct-answer", "direct_answer_first", "temporal_honesty"],
  ["garbage", "technical_garbage_first_line", "edge_carryover"],
])("the defect %s fails by %s and not by %s", async (defect, present, absent) => {
  const run = await replay([defect]);
  expect(packStatus(run)).toBe("partial");
  const found = invariantsOf(run);
  expect(found).toContain(present);
  expect(found).not.toContain(absent);
});

test.each<DemoDefect>(["slow", "close", "error-500", "html", "invalid-utf8", "no-answer"])(
  "an assistant that is %s blocks the pack, and every step has a record",
  async (defect) => {
    const run = await replay([defect]);
    expect(packStatus(run)).toBe("blocked");
    expect(run.scenarios.flatMap((scenario) => scenario.steps)).toHaveLength(20);
    expect(invariantsOf(run)).toContain("transport");
  },
);

test.each<DemoDefect>(["wrong-session", "forget-session"])(
  "an assistant with %s answers the first question and loses the chain",
  async (defect) => {
    const run = await replay([defect]);
    expect(packStatus(run)).toBe("blocked");
    expect(run.scenarios.map((scenario) => scenario.steps[0]?.status)).toContain("accepted");
  },
);
