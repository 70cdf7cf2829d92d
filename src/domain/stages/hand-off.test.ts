import { expect, test } from "vitest";
import type { RepairTarget } from "../scenarios/repair-targets.ts";
import { describeStage, handOver } from "./hand-off.ts";
import type { StageManifest } from "./stage-manifest.ts";

const target: RepairTarget = {
  targetId: "edge_carryover_gap:who",
  severity: "P0",
  problemType: "edge_carryover_gap",
  question: "Who supplied it?",
  visibleAnswer: "Sitwell.",
  expectation: "Lumen Works",
  evidence: "Sitwell.",
  fixGoal: "Keep the object.",
  candidateFiles: ["src/scope.ts"],
  occurrences: [],
};
const text = { goal: "The right supplier", inScope: [], outOfScope: [], acceptance: [] };
const manifest: StageManifest = {
  stageId: "suppliers",
  moduleName: "Suppliers",
  packManifest: "pack.yaml",
  targetScore: 88,
  maxIterations: 6,
  repairMode: "lead-handoff",
  saveAutorunOnAccept: true,
  fileHints: {},
  globalStage: text,
  localStage: text,
};

test("a hand-off names target, evidence, files and proof, and leaves out what does not block", () => {
  const handOff = handOver([{ ...target, targetId: "style", severity: "P2" }, target], {
    title: "Suppliers",
    reasons: ["final status is partial"],
    hints: { edge_carryover_gap: ["src/memory/**", "src/scope.ts"] },
    validationCommand: "signoff stage run --manifest stage.yaml",
  });
  expect(handOff).toMatchObject({
    targets: [{ targetId: "edge_carryover_gap:who" }],
    sampleFailures: [
      { question: "Who supplied it?", visibleAnswer: "Sitwell.", expectation: "Lumen Works" },
    ],
    candidateFiles: ["src/scope.ts", "src/memory/**"],
    validationCommand: "signoff stage run --manifest stage.yaml",
  });
});

test("the capsule tells a cold reader where the stage stands", () => {
  expect(describeStage(manifest, [], "strong")).toMatchObject({
    questionRating: "strong",
    closingStatus: "not_accepted",
    closingReasons: ["no pack loop has been run"],
    nextAction: "continue_autonomous_or_fix_blocker",
  });
  expect(describeStage(manifest, [])).not.toHaveProperty("questionRating");
});
