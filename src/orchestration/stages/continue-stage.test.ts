import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  loopFinished,
  repairPartsIn,
  supplierFinding,
  supplierStage,
} from "../../../tests/support/stage-parts.ts";
import { createMatcher } from "../../adapters/assistant/pattern-matcher.ts";
import { writeArtifact } from "../../contract/scenarios/artifacts.ts";
import { DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { CODER_STATUSES } from "../../domain/scenarios/coder-status.ts";
import { DEFAULT_QUESTION_THRESHOLDS } from "../../domain/scenarios/question-quality.ts";
import { closingOf, decideClosingGate } from "../../domain/stages/closing-gate.ts";
import type { ContinueStep } from "../../domain/stages/continue-stage.ts";
import { decideNextAction } from "../../domain/stages/next-action.ts";
import { openFindings } from "../../domain/stages/open-findings.ts";
import type {
  LoopFinished,
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
const partsOf = (loops: readonly LoopFinished[]): RepairParts => {
  const runCoder = async () => {
    coders += 1;
    return { stdout: "", stderr: "", reply: "", exitCode: 1, timedOut: false };
  };
  return repairPartsIn(root, runCoder, loops);
};

const ingested = (openP0: number, openP1: number): StageEvent => {
  const isClean = openP0 + openP1 === 0;
  const { question, asAsked = "", basis = "" } = supplierFinding;
  const problems = isClean ? [] : [supplierFinding.problemType];
  return {
    kind: "run-ingested",
    runId: "gui-7",
    openP0,
    openP1,
    questions: [question],
    asked: [{ question, asAsked, basis, isAnswered: true, problems }],
    findings: isClean ? [] : [{ ...supplierFinding, severity: openP0 > 0 ? "P0" : "P1" }],
    by: "Ada",
    heldAt: "2026-11-15T13:00:00.000Z",
  };
};
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
  if (closingOf(history) !== undefined) {
    const reopened = { kind: "stage-reopened", by: "Ada", reason: "once more" } as const;
    return [ingested(0, 0), ingested(1, 0), reopened];
  }
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

/** A repair covers everything that is open, under a new id. */
function preparing(history: StageHistory): readonly RepairPrepared[] {
  const isOpen = openFindings(history).length > 0;
  const number = history.filter(({ kind }) => kind === "repair-prepared").length + 1;
  const questions = ["Who supplied the desk?"];
  const iterationId = `repair-0${number}`;
  const about = { packHash: "pack-a", questions, findings: [supplierFinding.findingId] };
  return isOpen ? [{ kind: "repair-prepared", iterationId, ...about }] : [];
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

const review = {
  name: "gui_run_reviews/gui-7/repair_targets.json",
  content: writeArtifact("repair_targets.json", { targets: [supplierFinding.target] }),
};

/** The files that the events rely on, as the commands write them. */
function filesOf(history: StageHistory) {
  const prompts = history.flatMap((event) => {
    if (event.kind !== "repair-prepared") return [];
    const name = `repair_iterations/${event.iterationId}/repair_prompt.md`;
    return [{ name, content: "Repair it." }];
  });
  return [review, ...prompts];
}

function entryOf(event: StageEvent, { digest }: RepairParts): NewEntry {
  const evidence = event.kind === "run-ingested" ? { [review.name]: digest(review.content) } : {};
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

test("there are 87 reachable states, so a new one is noticed", () => {
  expect(states).toHaveLength(87);
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
    const loops: LoopFinished[] = [];
    const parts = partsOf(loops);
    for (const [index, history] of states.entries()) {
      const numbered = history.map((event, at) =>
        event.kind === "loop-finished" ? { ...event, run: `pack-run-${at}` } : event,
      );
      loops.length = 0;
      const stage = supplierStage(`${executeRepair}-${runId}/${index}`);
      const entries = numbered.map((event) => entryOf(event, parts));
      await recordStage(parts, stage, () => ({ entries, files: filesOf(history) }));
      loops.push(...numbered.filter((event) => event.kind === "loop-finished"));
      coders = 0;
      const { step, state } = await continueStage(parts, stage, {
        executeRepair,
        ...defined({ runId }),
        questions: { locale: "en", thresholds: DEFAULT_QUESTION_THRESHOLDS },
        analyst: "offline/rules",
        coder: () => ({ argv: ["coder"], timeoutMs: 1, reads: "text" }),
        loadRun: async () => ({
          by: "Ada",
          heldAt: "2026-11-15T14:00:00.000Z",
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
