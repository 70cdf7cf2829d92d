import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { writeArtifact } from "../../contract/scenarios/artifacts.ts";
import type { Status } from "../../domain/scenarios/step-status.ts";
import { readPackEvidence } from "./pack-evidence.ts";

const root = mkdtempSync(join(tmpdir(), "signoff-evidence-"));
afterEach(() => rmSync(root, { recursive: true, force: true }));
const folders = createRunFolders(root, { reach: () => undefined });

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

function stateOf(status: Status): string {
  return writeArtifact("scenario_state.json", {
    scenarioId: "stock",
    domain: "shop",
    title: "Stock",
    steps: [
      {
        stepId: "desks",
        title: "Desks",
        criticality: "critical",
        dependsOn: [],
        placeholderRoots: [],
        carryoverInvariants: [],
        questionTemplate: "How many Oak desk?",
        execution: "answered",
        answerText: "5 pieces.",
        status,
        findings: [],
      },
    ],
    status,
    attempt: 1,
    startedAt: "2024-03-31T10:00:00.000Z",
    finishedAt: "2024-03-31T10:00:01.000Z",
    bindings: {},
    semanticMemory: {},
  });
}

function judged(repeat: number) {
  const scenario = { scenarioId: "stock", status: "partial", steps: 1, flakySteps: [] } as const;
  return {
    folder: "out",
    repeat,
    state: {
      packId: "shop",
      title: "Shop",
      runId: "1",
      finalStatus: "partial",
      acceptanceGatePassed: false,
      unresolvedP0Count: 0,
      reasons: [],
      scenarios: [scenario],
      repairTargets: [],
      specHash: "0".repeat(64),
    },
  } as const;
}

it("reads each scenario with its repeats as their worst, and vouches for all of them", async () => {
  await folders.write("out", [
    { name: "pack_manifest.json", content: "{}" },
    { name: "scenarios/stock/scenario_state.json", content: stateOf("accepted") },
    { name: "scenarios/stock/repeats/2/scenario_state.json", content: stateOf("partial") },
  ]);
  const { scenarios, hashes } = await readPackEvidence(folders, judged(2), digest);
  expect(scenarios[0]?.steps).toMatchObject([{ status: "partial", flaky: true }]);
  expect(hashes).toEqual([
    ["pack_manifest.json", digest("{}")],
    ["scenarios/stock/scenario_state.json", digest(stateOf("accepted"))],
    ["scenarios/stock/repeats/2/scenario_state.json", digest(stateOf("partial"))],
  ]);
});

it("does not judge a pack whose evidence is gone", async () => {
  await folders.write("out", [{ name: "pack_manifest.json", content: "{}" }]);
  await expect(readPackEvidence(folders, judged(1), digest)).rejects.toMatchObject({
    code: "evidence-missing",
  });
});
