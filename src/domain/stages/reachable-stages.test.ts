import { expect, test } from "vitest";
import {
  closed,
  decision,
  executed,
  ingested,
  loop,
  prepared,
  reopened,
  started,
} from "../../../tests/support/stage-events.ts";
import { planRepair } from "../scenarios/repair-plan.ts";
import type { RepairTarget } from "../scenarios/repair-targets.ts";
import { decideClose } from "./close-stage.ts";
import { decideClosingGate } from "./closing-gate.ts";
import { decideContinue } from "./continue-stage.ts";
import { decideNextAction, NEXT_ACTIONS } from "./next-action.ts";
import type { StageEvent, StageHistory } from "./stage-history.ts";
import { guideNextStep } from "./step-guidance.ts";

const ALPHABET: readonly StageEvent[] = [
  loop(true),
  loop(false),
  loop(true, { packHash: "pack-b" }),
  loop(false, { status: "blocked" }),
  loop(false, { requiresUserDecision: true }),
  ingested(0, 0),
  ingested(1, 0),
  ingested(0, 1),
  ingested(0, 0, []),
  prepared,
  started,
  executed("patched"),
  executed("patched", true),
  executed("no_change"),
  executed("needs_decision"),
  executed("failed"),
  decision,
  closed,
  reopened,
];

function signature(history: StageHistory): string {
  return JSON.stringify([
    decideNextAction(history),
    decideClosingGate(history).status,
    decideClosingGate(history).loopAcceptedGate,
    history.some((event) => event.kind === "repair-prepared"),
    history.at(-1)?.kind,
  ]);
}

/** The rule written a second time and naively. */
function hasUnprovenRepair(history: StageHistory): boolean {
  return history.some((event, at) => {
    if (event.kind === "repair-started") {
      const next = history
        .slice(at + 1)
        .find(
          (one) => one.kind === "repair-started" || (one.kind === "repair-executed" && !one.dryRun),
        );
      return next?.kind !== "repair-executed";
    }
    if (event.kind !== "repair-executed" || event.dryRun) return false;
    const hasPlan = history.slice(0, at).some((one) => one.kind === "repair-prepared");
    const proven = history
      .slice(at + 1)
      .some(
        (one) =>
          (one.kind === "loop-finished" && one.accepted && one.packHash === "pack-a") ||
          (one.kind === "run-ingested" &&
            one.openP0 + one.openP1 === 0 &&
            one.questions.length > 0),
      );
    return !(hasPlan && proven);
  });
}

/** Breadth first over all orders of events, one history per distinct state. */
function reachable(): readonly StageHistory[] {
  const seen = new Map<string, StageHistory>([[signature([]), []]]);
  for (const history of seen.values()) {
    for (const event of ALPHABET) {
      const next = [...history, event];
      if (!seen.has(signature(next))) seen.set(signature(next), next);
    }
  }
  return [...seen.values()];
}

const STATES = reachable();

test("there are 185 reachable states, so a new one is noticed", () => {
  expect(STATES.length).toBe(185);
});

test("in every reachable state, and after every event in it, the promises hold", () => {
  for (const history of STATES.flatMap((state) => [
    state,
    ...ALPHABET.map((event) => [...state, event]),
  ])) {
    const gate = decideClosingGate(history);
    if (gate.closedBy !== undefined) {
      expect(decideNextAction(history)).toBe("stage_closed");
      expect(decideClose(history, { confirmedBy: "Ada" }).kind).toBe("refuse");
      continue;
    }
    const unproven = hasUnprovenRepair(history);
    expect(gate.unprovenRepairs.length > 0).toBe(unproven);
    expect(gate.status === "blocked_pending_repair_validation").toBe(unproven);
    expect(decideClose(history, { confirmedBy: "Ada" }).kind === "close").toBe(
      gate.status === "ready_for_manual_confirmation",
    );
    expect(NEXT_ACTIONS[decideNextAction(history)]).toBeTruthy();
    if (unproven)
      expect(["manual_gui_confirmation_or_stage_close", "stage_closed"]).not.toContain(
        decideNextAction(history),
      );
    expect(decideContinue(history, { executeRepair: false, runId: "gui-8" }).kind).not.toBe(
      "execute-repair",
    );
  }
});

test("every action is guided by commands with the real paths", () => {
  for (const action of Object.keys(NEXT_ACTIONS) as (keyof typeof NEXT_ACTIONS)[]) {
    const guidance = guideNextStep(action, {
      manifest: "stages/my shop.yaml",
      stageDir: "artifacts/s1",
    });
    expect(guidance.commandTemplates.length).toBeGreaterThan(0);
    expect(
      guidance.commandTemplates.every((command) =>
        command.includes("--manifest 'stages/my shop.yaml'"),
      ),
    ).toBe(true);
  }
  expect(
    guideNextStep("lead_coder_repair_required", {
      manifest: "m.yaml",
      stageDir: "d",
      loopDir: "d/domain_loops/loop-01",
    }),
  ).toEqual({
    read: ["d/domain_loops/loop-01/lead_coder_handoff.md", "d/stage_context_capsule.md"],
    commandTemplates: [
      "signoff stage continue --manifest m.yaml",
      "signoff stage prepare-repair --manifest m.yaml",
      "signoff stage run --manifest m.yaml",
    ],
  });
});

test("a repair plan has the open targets, their files and the questions that prove it", () => {
  const target: RepairTarget = {
    targetId: "direct_answer_gap:who",
    severity: "P0",
    problemType: "direct_answer_gap",
    question: "Who?",
    visibleAnswer: "Hm.",
    expectation: "Nordholz",
    evidence: "Hm.",
    fixGoal: "Answer.",
    candidateFiles: [],
    occurrences: [],
  };
  const about = {
    iterationId: "r1",
    packHash: "pack-a",
    hints: { direct_answer_gap: ["src/**"] },
    validationCommand: "signoff stage run",
  };
  const planned = planRepair(
    [
      { ...target, severity: "P2", targetId: "style" },
      target,
      { ...target, targetId: "b", question: "who" },
    ],
    about,
  );
  expect(planned).toMatchObject({ candidateFiles: ["src/**"], validationQuestions: ["Who?"] });
  expect(planRepair([{ ...target, severity: "P2" }], about)).toBe(undefined);
});
