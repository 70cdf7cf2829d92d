import { createHash, randomUUID } from "node:crypto";
import { openMemoryStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { createRunFolders } from "../../src/adapters/workspace/run-folders.ts";
import type { StageFinding } from "../../src/domain/stages/asked-question.ts";
import type { LoopFinished } from "../../src/domain/stages/stage-history.ts";
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
    decider: "stand_in",
    manifestPath: "stage.yaml",
    pack: { packId: "shop", domain: "shop", title: "The shop", bindings: {}, scenarios: [] },
    packHash: "pack-a",
    folder,
  };
}

/** Real files, a stopped clock, a coder that fails, and what the store is said to know of loops. */
export function repairPartsIn(
  root: string,
  runCoder: RunCoder = failingCoder,
  loops: readonly LoopFinished[] = [],
): RepairParts {
  const replays = () =>
    loops.map((event) => ({
      event: { ...event, run: event.run ?? "" },
      endedAt: noon,
      changedFiles: [],
    }));
  const self = { host: "shop", pid: 1, processStart: "1" };
  const clock = new ManualClock();
  const watchEvidence = async () => ({ digests: {}, changed: async () => [] });
  const watches = { watchCode: unchanged, watchEvidence };
  const repair = createRepairFlow({ runCoder, ...watches, clock, self });
  const store = openMemoryStore();
  const engine = engineOn({
    store: store.runs,
    flows: new Map([["stage-repair", repair]]),
    runner: heldBack(),
  });
  return {
    folders: createRunFolders(root, { reach: () => undefined }),
    digest: (content) => createHash("sha256").update(content).digest("hex"),
    store,
    replays: async () => replays(),
    watchEvidence,
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

const noon = "2026-11-15T12:00:00.000Z";

/** The P0 that the shop's assistant begins with. */
export const supplierFinding: StageFinding = {
  findingId: "direct_answer_gap:who",
  severity: "P0",
  problemType: "direct_answer_gap",
  question: "Who supplied the desk?",
  asAsked: "who",
  basis: "Nordholz",
  isVisible: true,
  target: {
    targetId: "direct_answer_gap:who",
    severity: "P0",
    problemType: "direct_answer_gap",
    question: "Who supplied the desk?",
    visibleAnswer: "Hm.",
    expectation: "Nordholz",
    evidence: "Hm.",
    fixGoal: "Answer.",
    candidateFiles: [],
    occurrences: [],
  },
};

/** A replay that asked one question, and answered it or not. */
export function loopFinished(accepted: boolean, change: Partial<LoopFinished> = {}): LoopFinished {
  const problems = accepted ? [] : ["direct_answer_gap"];
  const { question, asAsked = "", basis = "" } = supplierFinding;
  const asked = { question, asAsked, basis, isAnswered: true, problems };
  return {
    kind: "loop-finished",
    loopId: "loop-01/iterations/01",
    run: "pack-run-1",
    replay: {
      begunAt: noon,
      assistant: { url: "http://shop" },
      analyst: "offline/rules",
      deciders: ["stand_in"],
      asked: [asked],
      findings: accepted ? [] : [supplierFinding],
    },
    packHash: "pack-a",
    status: accepted ? "accepted" : "partial",
    accepted,
    requiresUserDecision: false,
    openP0: accepted ? 0 : 1,
    openP1: 0,
    ...change,
  };
}
