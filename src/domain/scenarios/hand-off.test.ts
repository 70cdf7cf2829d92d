import { expect, test } from "vitest";
import { handOver } from "./hand-off.ts";
import type { RepairTarget } from "./repair-targets.ts";

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
