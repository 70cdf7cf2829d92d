import { describe, expect, test } from "vitest";
import type { CoderStatus } from "../scenarios/coder-status.ts";
import { planRepair } from "../scenarios/repair-plan.ts";
import type { RepairTarget } from "../scenarios/repair-targets.ts";
import { decideClose } from "./close-stage.ts";
import { decideClosingGate } from "./closing-gate.ts";
import { decideContinue } from "./continue-stage.ts";
import { decideNextAction, latestRepair, NEXT_ACTIONS } from "./next-action.ts";
import { validationHistory } from "./repair-validation.ts";
import type { StageEvent, StageHistory } from "./stage-history.ts";
import { guideNextStep } from "./step-guidance.ts";

const loop = (accepted: boolean, change: object = {}): StageEvent => ({
  kind: "loop-finished",
  loopId: "shop-1",
  packHash: "pack-a",
  status: accepted ? "accepted" : "partial",
  accepted,
  requiresUserDecision: false,
  openP0: accepted ? 0 : 1,
  openP1: 0,
  ...change,
});
const ingested = (
  openP0: number,
  openP1: number,
  questions = ["Who supplied the desk?"],
): StageEvent => ({ kind: "run-ingested", runId: "gui-7", openP0, openP1, questions });
const prepared: StageEvent = {
  kind: "repair-prepared",
  iterationId: "r1",
  packHash: "pack-a",
  questions: ["who supplied the DESK"],
};
const started: StageEvent = { kind: "repair-started", iterationId: "r1" };
const executed = (coderStatus: CoderStatus, dryRun = false): StageEvent => ({
  kind: "repair-executed",
  iterationId: "r1",
  dryRun,
  coderStatus,
});
const patched = [prepared, started, executed("patched")];
const decision: StageEvent = { kind: "decision-given", by: "Ada" };
const closed: StageEvent = { kind: "stage-closed", confirmedBy: "Ada" };

describe("the next action follows from the history", () => {
  test.each<[string, StageHistory]>([
    ["continue_autonomous_or_fix_blocker", []],
    ["continue_autonomous_or_fix_blocker", [loop(false, { status: "blocked" })]],
    ["lead_coder_repair_required", [loop(false)]],
    ["user_decision_required", [loop(false, { requiresUserDecision: true })]],
    ["manual_gui_confirmation_or_stage_close", [loop(true)]],
    ["continue_repair_from_gui_review_p0", [loop(true), ingested(1, 2)]],
    ["continue_repair_from_gui_review_p1", [loop(true), ingested(0, 2)]],
    ["manual_gui_confirmation_or_stage_close", [loop(true), ingested(0, 0)]],
    ["continue_autonomous_or_fix_blocker", [ingested(0, 0)]],
    ["execute_prepared_repair", [loop(false), prepared]],
    ["execute_prepared_repair", [loop(false), prepared, executed("no_change", true)]],
    ["inspect_repair_result", [loop(false), prepared, started]],
    ["rerun_and_ingest_validation", [loop(false), ...patched]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("no_change")]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("failed")]],
    ["inspect_repair_result", [loop(false), prepared, started, executed("interrupted")]],
    ["user_decision_required", [loop(false), prepared, started, executed("needs_decision")]],
    [
      "continue_autonomous_or_fix_blocker",
      [loop(false), prepared, started, executed("needs_decision"), decision],
    ],
    ["rerun_and_ingest_validation", [loop(true), ...patched, loop(true, { packHash: "pack-b" })]],
    ["continue_repair_from_gui_review_p0", [loop(true), ...patched, ingested(1, 0)]],
    [
      "rerun_and_ingest_validation",
      [loop(true), ...patched, ingested(0, 0, ["What is in stock?"])],
    ],
    ["stage_closed", [loop(true), closed]],
    ["lead_coder_repair_required", [loop(true), closed, loop(false)]],
  ])("%s", (action, history) => {
    expect(decideNextAction(history)).toBe(action);
  });
});

test("an accepted loop does not open the gate over an unproven patch", () => {
  const gate = decideClosingGate([loop(true), ...patched]);
  expect(gate).toMatchObject({
    loopAcceptedGate: true,
    acceptedGate: false,
    status: "blocked_pending_repair_validation",
  });
  expect(decideClose([loop(true), ...patched], { confirmedBy: "Ada" }).kind).toBe("refuse");
});

test("dry runs and other coder statuses need no validation", () => {
  for (const status of ["no_change", "failed", "needs_decision", "interrupted"] as const) {
    expect(decideClosingGate([loop(true), prepared, started, executed(status)]).acceptedGate).toBe(
      true,
    );
  }
  expect(decideClosingGate([loop(true), prepared, executed("patched", true)]).acceptedGate).toBe(
    true,
  );
});

describe("only a covering run after the patch proves it", () => {
  test.each<[string, StageEvent, string, boolean]>([
    ["a replay of the same pack", loop(true), "accepted", true],
    ["a replay of another pack", loop(true, { packHash: "pack-b" }), "scope_mismatch", false],
    ["a replay that fails", loop(false), "not_accepted", false],
    ["a clean run that asks the question", ingested(0, 0), "accepted", true],
    ["a run with findings", ingested(0, 1), "not_accepted", false],
    [
      "a clean run that asks something else",
      ingested(0, 0, ["What is in stock?"]),
      "scope_mismatch",
      false,
    ],
  ])("%s", (_title, run, status, proven) => {
    const history = [loop(true), ...patched, run];
    expect(validationHistory(history).map((validation) => validation.status)).toEqual([status]);
    expect(decideClosingGate(history).unprovenRepairs).toHaveLength(proven ? 0 : 1);
    expect(decideClosingGate([run, ...patched]).unprovenRepairs).toHaveLength(1);
  });

  test("the missing questions are named", () => {
    expect(validationHistory([...patched, ingested(0, 0, [])])[0]?.missingQuestions).toEqual([
      "who supplied the DESK",
    ]);
  });

  test("a patch without a plan cannot be proven", () => {
    expect(
      decideClosingGate([executed("patched"), loop(true), ingested(0, 0)]).unprovenRepairs,
    ).toHaveLength(1);
  });

  test("an old unproven patch is not forgotten behind a newer proven one", () => {
    const other: StageEvent = {
      kind: "repair-prepared",
      iterationId: "r2",
      packHash: "pack-a",
      questions: ["What is in stock?"],
    };
    const second: StageEvent = {
      kind: "repair-executed",
      iterationId: "r2",
      dryRun: false,
      coderStatus: "patched",
    };
    const gate = decideClosingGate([
      loop(true),
      ...patched,
      other,
      second,
      ingested(0, 0, ["What is in stock?"]),
    ]);
    expect(gate.unprovenRepairs.map((repair) => repair.iterationId)).toEqual(["r1"]);
  });
});

test("closing takes a name, once, and anything later opens the stage again", () => {
  expect(decideClose([loop(true)], { confirmedBy: " Ada " })).toEqual({
    kind: "close",
    event: closed,
  });
  expect(decideClose([loop(true)], { confirmedBy: "  " }).kind).toBe("refuse");
  expect(decideClose([], { confirmedBy: "Ada" })).toEqual({
    kind: "refuse",
    reasons: ["no pack loop has been run"],
  });
  expect(decideClose([loop(true), closed], { confirmedBy: "Ada" }).kind).toBe("refuse");
  expect(decideClosingGate([loop(true), closed, ...patched]).status).toBe(
    "blocked_pending_repair_validation",
  );
});

test("a coder that was running when the machine stopped is interrupted, never patched", () => {
  expect(latestRepair([prepared, started])).toMatchObject({ coderStatus: "interrupted" });
  expect(latestRepair([])).toBeUndefined();
});

describe("continue takes one step", () => {
  const options = { executeRepair: false };
  test.each<[string, StageHistory, object]>([
    ["write-loop-command", [], options],
    ["prepare-and-dry-run", [loop(true), ingested(1, 0)], options],
    ["dry-run-repair", [loop(false), prepared], options],
    ["nothing", [loop(false), prepared, executed("no_change", true)], options],
    [
      "execute-repair",
      [loop(false), prepared, executed("no_change", true)],
      { executeRepair: true },
    ],
    ["wait-for-run-id", [loop(true), ...patched], options],
    ["ingest-run", [loop(true), ...patched], { ...options, runId: "gui-8" }],
    ["nothing", [loop(true)], options],
    ["nothing", [loop(true), closed], { executeRepair: true }],
  ])("%s", (kind, history, how) => {
    expect(decideContinue(history, how as { executeRepair: boolean }).kind).toBe(kind);
  });
});

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

/** The rule of the issue, written a second time and naively. */
function hasUnprovenPatch(history: StageHistory): boolean {
  return history.some((event, at) => {
    if (event.kind !== "repair-executed" || event.dryRun || event.coderStatus !== "patched")
      return false;
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

test("there are 154 reachable states, so a new one is noticed", () => {
  expect(STATES.length).toBe(154);
});

test("in every reachable state, and after every event in it, the promises hold", () => {
  for (const history of STATES.flatMap((state) => [
    state,
    ...ALPHABET.map((event) => [...state, event]),
  ])) {
    const gate = decideClosingGate(history);
    const unproven = hasUnprovenPatch(history);
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
