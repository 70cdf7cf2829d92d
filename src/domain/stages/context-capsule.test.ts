import { expect, test } from "vitest";
import { describeStage } from "./context-capsule.ts";
import type { StageManifest } from "./stage-manifest.ts";

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

test("the capsule tells a cold reader where the stage stands", () => {
  expect(describeStage(manifest, { history: [], questionRating: "strong" })).toMatchObject({
    questionRating: "strong",
    closingStatus: "not_accepted",
    closingReasons: ["no pack loop has been run"],
    nextAction: "continue_autonomous_or_fix_blocker",
  });
  expect(describeStage(manifest, { history: [] })).not.toHaveProperty("questionRating");
});
