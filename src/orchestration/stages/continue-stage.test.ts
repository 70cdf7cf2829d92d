import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loopFinished, repairPartsIn, supplierStage } from "../../../tests/support/stage-parts.ts";
import { createMatcher } from "../../adapters/assistant/pattern-matcher.ts";
import { writeArtifact } from "../../contract/scenarios/write-artifact.ts";
import { DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import { DEFAULT_QUESTION_THRESHOLDS } from "../../domain/scenarios/question-quality.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import type { ContinueStep } from "../../domain/stages/continue-stage.ts";
import { decideNextAction } from "../../domain/stages/next-action.ts";
import type {
  RepairPrepared,
  StageEvent,
  StageHistory,
} from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { continueStage } from "./continue-stage.ts";
import { recordStage } from "./record-stage.ts";
import type { RepairParts } from "./run-repair.ts";
import type { NewEntry } from "./stage.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "signoff-states-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let coders = 0;
const partsOf = (): RepairParts =>
  repairPartsIn(root, async () => {
    coders += 1;
    return { stdout: "", stderr: "", reply: "", exitCode: 1, timedOut: false };
  });

const ingested = (openP0: number, openP1: number): StageEvent => ({
  kind: "run-ingested",
  runId: "gui-7",
  openP0,
  openP1,
  questions: ["Who supplied the desk?"],
});
const runs: readonly StageEvent[] = [
  loopFinished(true),
  loopFinished(true, { packHash: "pack-b" }),
  loopFinished(false),
  loopFinished(false, { status: "blocked" }),
  loopFinished(false, { requiresUserDecision: true }),
  ingested(0, 0),
  ingested(1, 0),
  ingested(0, 1),
];

/** What the commands can record next, as each of them allows it. */
function canFollow(history: StageHistory): readonly StageEvent[] {
  const last = history.at(-1);
  if (last?.kind === "repair-started") {
    const { iterationId } = last;
    const ends = CODER_STATUSES.map((coderStatus) => {
      return { kind: "repair-executed", iterationId, dryRun: false, coderStatus } as const;
    });
    return [...ends, ...runs, ...preparing(history)];
  }
  const action = decideNextAction(history);
  const isReady = decideClosingGate(history).status === "ready_for_manual_confirmation";
  return [
    ...runs,
    ...preparing(history),
    ...repairing(history),
    ...(action === "user_decision_required"
      ? [{ kind: "decision-given", by: "Ada" } as const]
      : []),
    ...(isReady ? [{ kind: "stage-closed", confirmedBy: "Ada" } as const] : []),
  ];
}

/** A repair covers what the latest run left open, under a new id. */
function preparing(history: StageHistory): readonly RepairPrepared[] {
  const run = history.findLast(({ kind }) => kind === "loop-finished" || kind === "run-ingested");
  const isOpen =
    (run?.kind === "loop-finished" || run?.kind === "run-ingested") && run.openP0 + run.openP1 > 0;
  const number = history.filter(({ kind }) => kind === "repair-prepared").length + 1;
  const questions = ["Who supplied the desk?"];
  const iterationId = `repair-0${number}`;
  return isOpen ? [{ kind: "repair-prepared", iterationId, packHash: "pack-a", questions }] : [];
}

function repairing(history: StageHistory): readonly StageEvent[] {
  const prepared = history.findLast((event) => event.kind === "repair-prepared");
  if (prepared?.kind !== "repair-prepared") return [];
  const { iterationId } = prepared;
  const wasRun = history.some(
    (event) => event.kind === "repair-started" && event.iterationId === iterationId,
  );
  if (wasRun) return [];
  return [
    { kind: "repair-started", iterationId },
    { kind: "repair-executed", iterationId, dryRun: true, coderStatus: "no_change" },
  ];
}

/** Everything that the rules and the commands look at. */
function stateOf(history: StageHistory): string {
  const gate = decideClosingGate(history);
  const can = canFollow(history).map(({ kind }) => kind);
  return JSON.stringify([
    decideNextAction(history),
    gate.status,
    gate.loopAcceptedGate,
    [...new Set(can)],
    history.at(-1)?.kind,
  ]);
}

/** Breadth first over all that can be recorded, one history per distinct state. */
function reachable(): readonly StageHistory[] {
  const seen = new Map<string, StageHistory>([[stateOf([]), []]]);
  for (const history of seen.values()) {
    for (const event of canFollow(history)) {
      const next = [...history, event];
      if (!seen.has(stateOf(next))) seen.set(stateOf(next), next);
    }
  }
  return [...seen.values()];
}

const target: RepairTarget = {
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
};

/** The files that the events rely on, as the commands write them. */
const files = [
  {
    name: "gui_run_reviews/gui-7/repair_targets.json",
    content: writeArtifact("repair_targets.json", { targets: [target] }),
  },
  {
    name: "domain_loops/loop-01/lead_coder_handoff.json",
    content: writeArtifact("lead_coder_handoff.json", {
      title: "The shop",
      reasons: [],
      targets: [target],
      sampleFailures: [],
      candidateFiles: [],
      validationCommand: "signoff stage run",
    }),
  },
  ...Array.from({ length: 9 }, (_, index) => ({
    name: `repair_iterations/repair-0${index + 1}/repair_prompt.md`,
    content: "Repair it.",
  })),
];

function entryOf(event: StageEvent, { digest }: RepairParts): NewEntry {
  const [review] = files;
  const evidence =
    event.kind === "run-ingested" && review !== undefined
      ? { [review.name]: digest(review.content) }
      : {};
  return { event, evidence };
}

/** What each step records; a prepared repair with its dry run is one step. */
const recorded: { readonly [kind in ContinueStep["kind"]]: readonly StageEvent["kind"][] } = {
  "write-loop-command": [],
  "prepare-and-dry-run": ["repair-prepared", "repair-executed"],
  "dry-run-repair": ["repair-executed"],
  "execute-repair": ["repair-started", "repair-executed"],
  "ingest-run": ["run-ingested"],
  "wait-for-run-id": [],
  nothing: [],
};

const states = reachable();

test("there are 84 reachable states, so a new one is noticed", () => {
  expect(states).toHaveLength(84);
});

test.each([
  [false, undefined],
  [false, "gui-8"],
  [true, undefined],
  [true, "gui-8"],
])(
  "continue takes one transition from each of them; may it run the coder: %s, run id: %s",
  async (executeRepair, runId) => {
    const taken = new Set<string>();
    for (const [index, history] of states.entries()) {
      const parts = partsOf();
      const stage = supplierStage(`${executeRepair}-${runId}/${index}`);
      const entries = history.map((event) => entryOf(event, parts));
      await recordStage(parts, stage, () => ({ entries, files }));
      coders = 0;
      const { step, state } = await continueStage(parts, stage, {
        executeRepair,
        ...defined({ runId }),
        questions: { locale: "en", thresholds: DEFAULT_QUESTION_THRESHOLDS },
        analyst: "offline/rules",
        coder: () => ({ argv: ["coder"], timeoutMs: 1, reads: "text" }),
        loadRun: async () => ({
          pairs: [{ pairId: "1", sessionId: "s", question: "Who?", answer: "Nordholz." }],
          rules: {
            rules: DEFAULT_CHECK_RULES,
            matches: createMatcher(),
            locale: "en",
            fileHints: {},
            scenarios: [],
            isUsable: () => true,
          },
        }),
        signal: new AbortController().signal,
      });
      taken.add(step.kind);
      const added = state.entries.slice(history.length).map(({ event }) => event.kind);
      expect(added, JSON.stringify(history)).toEqual(recorded[step.kind]);
      expect(coders).toBe(step.kind === "execute-repair" ? 1 : 0);
    }
    const expected = [
      "nothing",
      "prepare-and-dry-run",
      "write-loop-command",
      runId === undefined ? "wait-for-run-id" : "ingest-run",
      executeRepair ? "execute-repair" : "dry-run-repair",
    ];
    expect([...taken].sort()).toEqual(expected.sort());
  },
  60_000,
);
