import { expect, test } from "vitest";
import { z } from "zod";
import { artifactFileShape } from "../documents/artifact-file.ts";
import { STAGE_ARTIFACTS } from "../stages/stage-artifacts.ts";
import { ARTIFACTS, readArtifact, writeArtifact } from "./artifacts.ts";

const all = { ...ARTIFACTS, ...STAGE_ARTIFACTS };

const review = {
  overallBusinessStatus: "fail" as const,
  businessAnswerFailures: 1,
  directAnswerOk: false,
  technicalGarbagePresent: false,
  steps: [
    {
      scenarioId: "stock",
      stepId: "step_01",
      question: "Сколько столов?",
      directAnswer: "Größe 4",
      passed: false,
      findings: [
        {
          invariant: "direct_answer_first" as const,
          severity: "P0" as const,
          expectation: "5",
          evidence: "Größe 4",
          visible: true,
        },
      ],
    },
  ],
};

test("an artifact is readable snake_case text and reads back as it was", () => {
  const text = writeArtifact("business_review.json", review);
  expect(text).toMatch(
    /^\{\n {2}"schema_version": "domain_business_review_v1",\n {2}"overall_business_status": "fail",/,
  );
  expect(text).toContain("Сколько столов?");
  expect(text.endsWith("}\n")).toBe(true);
  expect(readArtifact("business_review.json", `\uFEFF${text}`)).toEqual(review);
});

test("what was cut, edited or is of another version is refused by its name", () => {
  const text = writeArtifact("business_review.json", review);
  for (const [broken, why] of [
    [text.slice(0, 40), "it is not JSON"],
    [text.replace('"fail"', '"fine"'), "overall_business_status: "],
    [text.replace("_v1", "_v9"), "schema_version: "],
  ] as const) {
    expect(() => readArtifact("business_review.json", broken)).toThrow(
      expect.objectContaining({
        code: "artifact-damaged",
        message: expect.stringContaining(`business_review.json is not what a run writes: ${why}`),
      }),
    );
  }
});

test("the save gate's names are in the files", () => {
  const keys = (name: keyof typeof all) => Object.keys(artifactFileShape(all[name]).shape);
  expect(keys("pack_state.json")).toEqual(
    expect.arrayContaining([
      "final_status",
      "acceptance_gate_passed",
      "unresolved_p0_count",
      "repair_targets",
    ]),
  );
  expect(keys("stage_loop_summary.json")).toEqual(
    expect.arrayContaining([
      "loop_accepted_gate",
      "accepted_gate",
      "stage_closing_gate",
      "next_action",
      "next_step_guidance",
      "latest_repair_validation",
      "repair_validation_history",
    ]),
  );
});

test("an edited artifact is refused", () => {
  const text = writeArtifact("business_review.json", review);
  expect(() => readArtifact("business_review.json", text.replace("_v1", "_v2"))).toThrow();
  expect(() => readArtifact("business_review.json", text.replace('"fail"', '"perfect"'))).toThrow();
  expect(() =>
    readArtifact("business_review.json", text.replace('"steps"', '"extra": 1, "steps"')),
  ).toThrow();
});

test("every artifact has a JSON Schema with snake_case names only", () => {
  for (const artifact of Object.values(all)) {
    const schema = z.toJSONSchema(artifactFileShape(artifact)) as { properties: object };
    expect(Object.keys(schema.properties).filter((key) => key !== key.toLowerCase())).toEqual([]);
  }
});

test("names that are data stay as they are", () => {
  const run = {
    runId: "gui-7",
    overallStatus: "p0" as const,
    counts: { P0: 1, P1: 0, P2: 0 },
    pairs: [],
    repairTargets: [],
  };
  expect(writeArtifact("run_review.json", run)).toContain('"P0": 1');
  expect(readArtifact("run_review.json", writeArtifact("run_review.json", run))).toEqual(run);
  const turn = {
    userMessage: "Stock?",
    technicalDebugPayload: {
      mcp_discovery_route_candidate_status: "ready",
      camelCase: [{ InnerName: 1 }],
    },
  };
  expect(readArtifact("turn.json", writeArtifact("turn.json", turn))).toEqual(turn);
});

test("a step state keeps every field of the payload", () => {
  const debug = {
    mcp_discovery_route_candidate_status: "ready",
    mcp_discovery_route_candidate_missing_axes: ["date"],
    capability_id: "stock",
  };
  const state = {
    scenarioId: "stock",
    domain: "stock",
    stepIndex: 1,
    analysisContext: { as_of_date: "2024-03-31" },
    entries: [{ item: "Oak desk" }],
    entriesFrom: "payload" as const,
    debug,
    stepId: "step_01",
    title: "Stock",
    criticality: "critical" as const,
    dependsOn: [],
    placeholderRoots: [],
    carryoverInvariants: [],
    questionTemplate: "Stock?",
    execution: "answered" as const,
    answerText: "5",
    status: "accepted" as const,
    findings: [],
  };
  expect(readArtifact("step_state.json", writeArtifact("step_state.json", state))).toEqual(state);
});
