import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loopFinished, repairPartsIn, supplierStage } from "../../../tests/support/stage-parts.ts";
import { createMatcher } from "../../adapters/assistant/pattern-matcher.ts";
import { DEFAULT_CHECK_RULES } from "../../domain/scenarios/check-rules.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { decideNextAction } from "../../domain/stages/next-action.ts";
import type { StageEvent, StageHistory } from "../../domain/stages/stage-history.ts";
import { continueStage } from "./continue-stage.ts";
import { recordStage } from "./record-stage.ts";
import type { RepairParts } from "./run-repair.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "signoff-states-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let coders = 0;
const partsOf = (): RepairParts => ({
  ...repairPartsIn(root),
  runCoder: async () => {
    coders += 1;
    return { stdout: "", stderr: "", exitCode: 1, timedOut: false };
  },
});

const ingested = (openP0: number, openP1: number): StageEvent => ({
  kind: "run-ingested",
  runId: "gui-7",
  openP0,
  openP1,
  questions: ["Who supplied the desk?"],
});
const executed = (coderStatus: "patched" | "failed" | "needs_decision", dryRun = false) =>
  ({ kind: "repair-executed", iterationId: "repair-01", dryRun, coderStatus }) as const;
const alphabet: readonly StageEvent[] = [
  loopFinished(true),
  loopFinished(false),
  loopFinished(false, { status: "blocked" }),
  loopFinished(false, { requiresUserDecision: true }),
  ingested(0, 0),
  ingested(1, 0),
  ingested(0, 1),
  {
    kind: "repair-prepared",
    iterationId: "repair-01",
    packHash: "pack-a",
    questions: ["Who supplied the desk?"],
  },
  { kind: "repair-started", iterationId: "repair-01" },
  executed("patched"),
  executed("patched", true),
  executed("failed"),
  executed("needs_decision"),
  { kind: "decision-given", by: "Ada" },
  { kind: "stage-closed", confirmedBy: "Ada" },
];

/** Breadth first over all orders of events that a stage can record, one history per distinct state. */
function reachable(): readonly StageHistory[] {
  const stateOf = (history: StageHistory) =>
    JSON.stringify([
      decideNextAction(history),
      decideClosingGate(history).status,
      history.some(({ kind }) => kind === "repair-prepared"),
      history.some(({ kind }) => kind === "repair-started"),
      history.at(-1)?.kind,
    ]);
  const canFollow = (history: StageHistory, { kind }: StageEvent) =>
    kind === "repair-started"
      ? history.some((event) => event.kind === "repair-prepared")
      : kind !== "repair-executed" || history.at(-1)?.kind !== "stage-closed";
  const seen = new Map<string, StageHistory>([[stateOf([]), []]]);
  for (const history of seen.values()) {
    for (const event of alphabet.filter((next) => canFollow(history, next))) {
      const next = [...history, event];
      if (!seen.has(stateOf(next))) seen.set(stateOf(next), next);
    }
  }
  return [...seen.values()];
}

/** How many events each step records; a prepared repair with its dry run is one step. */
const recorded = {
  "write-loop-command": [0],
  // Nothing to repair where the files of the run are gone.
  "prepare-and-dry-run": [0, 2],
  "dry-run-repair": [1],
  "execute-repair": [2],
  "ingest-run": [1],
  "wait-for-run-id": [0],
  nothing: [0],
} as const;

const states = reachable();

test.each([false, true])(
  "continue takes one transition from each reachable state; may it run the coder: %s",
  async (executeRepair) => {
    expect(states.length).toBeGreaterThan(60);
    const taken = new Set<string>();
    for (const [index, history] of states.entries()) {
      const parts = partsOf();
      const stage = supplierStage(`${executeRepair}/${index}`);
      await recordStage(parts, stage, () => ({
        entries: history.map((event) => ({ event, evidence: {} })),
        files: [{ name: "repair_iterations/repair-01/repair_prompt.md", content: "Repair it." }],
      }));
      coders = 0;
      const before = history.length;
      const attempt = continueStage(parts, stage, {
        executeRepair,
        runId: "gui-8",
        questions: { locale: "en" },
        analyst: "offline/rules",
        coder: () => ({ argv: ["coder"], timeoutMs: 1, replyOf: (stdout) => stdout }),
        loadRun: async () => ({
          pairs: [{ pairId: "1", sessionId: "s", question: "Who?", answer: "Nordholz." }],
          rules: {
            rules: DEFAULT_CHECK_RULES,
            matches: createMatcher(),
            locale: "en",
            fileHints: {},
            knownSteps: [],
          },
        }),
        signal: new AbortController().signal,
      });
      const outcome = await attempt.catch((error: { readonly code?: string }) => error);
      if (!("step" in outcome)) {
        // Executed before, or never prepared: said, and nothing is recorded.
        expect(["repair-executed", "repair-missing"]).toContain(outcome.code);
        continue;
      }
      taken.add(outcome.step.kind);
      const added = outcome.state.entries.length - before;
      expect(recorded[outcome.step.kind]).toContain(added);
      expect(coders).toBe(outcome.step.kind === "execute-repair" ? 1 : 0);
      if (!executeRepair) expect(outcome.step.kind).not.toBe("execute-repair");
    }
    expect([...taken].sort()).toEqual(
      [
        "ingest-run",
        "nothing",
        "prepare-and-dry-run",
        "write-loop-command",
        executeRepair ? "execute-repair" : "dry-run-repair",
      ].sort(),
    );
  },
  60_000,
);
