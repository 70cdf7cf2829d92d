import { createHash, randomUUID } from "node:crypto";
import { openMemoryStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { createRunFolders } from "../../src/adapters/workspace/run-folders.ts";
import type { StageEvent } from "../../src/domain/stages/stage-history.ts";
import { createRepairFlow } from "../../src/orchestration/stages/repair-flow.ts";
import type { RepairParts } from "../../src/orchestration/stages/run-repair.ts";
import type { Stage } from "../../src/orchestration/stages/stage.ts";
import type { RunCoder, WatchCode } from "../../src/ports/coder.ts";
import { engineOn, heldBack } from "./letter-engine.ts";
import { ManualClock } from "./manual-clock.ts";

const text = { goal: "", inScope: [], outOfScope: [], acceptance: [] };

/** The stage about the shop's suppliers, in a temporary folder. */
export function supplierStage(folder: string): Stage {
  return {
    manifest: {
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
    },
    manifestPath: "stage.yaml",
    pack: { packId: "shop", domain: "shop", title: "The shop", bindings: {}, scenarios: [] },
    packHash: "pack-a",
    folder,
  };
}

/** Real files, a stopped clock, and a coder that fails. */
export function repairPartsIn(root: string, runCoder: RunCoder = failingCoder): RepairParts {
  const self = { host: "shop", pid: 1, processStart: "1" };
  const clock = new ManualClock();
  const repair = createRepairFlow({ runCoder, watchCode: unchanged, clock, self });
  const engine = engineOn({
    store: openMemoryStore().runs,
    flows: new Map([["stage-repair", repair]]),
    runner: heldBack(),
  });
  return {
    folders: createRunFolders(root, { reach: () => undefined }),
    digest: (content) => createHash("sha256").update(content).digest("hex"),
    isAlive: () => false,
    orphans: async () => [],
    endOrphans: async () => undefined,
    clock,
    engine,
    newId: randomUUID,
    crash: { reach: () => undefined },
    exclusively: (_name, work) => work(),
    self,
    isPlaying: async () => false,
    examine: async () => ({ kind: "none" }),
  };
}

const failingCoder: RunCoder = async () => ({
  stdout: "",
  stderr: "",
  reply: "",
  exitCode: 1,
  timedOut: false,
});

const unchanged: WatchCode = async () => async () => ({
  kind: "files",
  before: "a",
  after: "a",
  diffStat: "",
  changedFiles: [],
});

export function loopFinished(accepted: boolean, change: object = {}): StageEvent {
  return {
    kind: "loop-finished",
    loopId: "loop-01/iterations/01",
    packHash: "pack-a",
    status: accepted ? "accepted" : "partial",
    accepted,
    requiresUserDecision: false,
    openP0: accepted ? 0 : 1,
    openP1: 0,
    ...change,
  };
}
