import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideLoopStep, type PackIteration } from "./pack-loop.ts";
import type { RepairTarget } from "./repair-targets.ts";
import type { AcceptanceGate } from "./reviews.ts";
import { type AnalystVerdict, LOOP_DECISIONS, VERDICT_FLAGS } from "./verdict.ts";
import { DEFAULT_STAGE_SCORE, decideVerdictGate, PACK_GATE, STAGE_FLAGS } from "./verdict-gate.ts";

const clean: AnalystVerdict = {
  qualityScore: 92,
  directAnswerOk: true,
  businessUsefulnessOk: true,
  focusObjectContinuityOk: true,
  bundleReuseOk: true,
  followupActionResolutionOk: true,
  temporalHonestyOk: true,
  fieldTruthOk: true,
  answerLayeringOk: true,
  loopDecision: "accepted",
  requiresUserDecision: false,
  unresolvedP0Count: 0,
  priorityTargets: [],
  recommendedStateObjects: [],
  userDecisionType: "none",
  rootCauseLayers: [],
  brokenEdgeIds: [],
  violatedInvariants: [],
  acceptanceCriteria: [],
  notes: [],
};
const bare = { kind: "read", signature: { how: "bare" } } as const;
const gate: AcceptanceGate = {
  passed: true,
  finalStatus: "accepted",
  unresolvedP0: 0,
  reasons: [],
};
const target: RepairTarget = {
  targetId: "direct_answer_gap:who-supplied-the-desk",
  severity: "P1",
  problemType: "direct_answer_gap",
  question: "Who supplied the desk?",
  visibleAnswer: "Let me look.",
  expectation: "Nordholz",
  evidence: "Let me look.",
  fixGoal: "Answer on line 1.",
  candidateFiles: [],
  occurrences: [],
};

function decide(
  change: Partial<AnalystVerdict>,
  targets: readonly RepairTarget[] = [],
  rules = PACK_GATE,
) {
  return decideVerdictGate({ ...bare, verdict: { ...clean, ...change } }, { gate, targets }, rules);
}

test("a clean verdict over clean checks is accepted", () => {
  expect(decide({})).toEqual({ accepted: true, score: 92, reasons: [] });
  expect(decide({ qualityScore: 80 }).accepted).toBe(true);
});

describe("the analyst cannot force acceptance", () => {
  const p0 = {
    severity: "P0",
    problemType: "direct_answer_gap",
    fixGoal: "",
    candidateFiles: [],
  } as const;
  test.each<[string, Partial<AnalystVerdict>]>([
    ["score 79", { qualityScore: 79 }],
    ["score beyond 100", { qualityScore: 1000 }],
    ["no number", { qualityScore: Number.NaN }],
    ["one P0", { qualityScore: 100, unresolvedP0Count: 1 }],
    ["a negative count", { unresolvedP0Count: -1 }],
    ["a live target", { qualityScore: 100, priorityTargets: [p0] }],
    ["another decision", { qualityScore: 100, loopDecision: "continue" }],
    ["a question to a person", { requiresUserDecision: true }],
    ...VERDICT_FLAGS.map((flag): [string, Partial<AnalystVerdict>] => [
      `${flag} false`,
      { [flag]: false },
    ]),
  ])("%s", (_title, change) => {
    const decision = decide(change);
    expect(decision.accepted).toBe(false);
    expect(decision.reasons).toHaveLength(1);
  });

  test("a void verdict", () => {
    const decision = decideVerdictGate(
      { kind: "void", problems: ["no quality_score"] },
      { gate, targets: [] },
      PACK_GATE,
    );
    expect(decision).toEqual({ accepted: false, reasons: ["void verdict: no quality_score"] });
  });

  test("a repair target of the checks, or a gate that did not pass", () => {
    expect(decide({ qualityScore: 100 }, [target]).accepted).toBe(false);
    expect(decide({ qualityScore: 100 }, [{ ...target, severity: "P2" }]).accepted).toBe(true);
    const failed = { ...gate, passed: false, reasons: ["final status is partial"] };
    expect(
      decideVerdictGate({ ...bare, verdict: clean }, { gate: failed, targets: [] }, PACK_GATE)
        .accepted,
    ).toBe(false);
  });
});

test("a stage asks for 88 and its five flags", () => {
  const stage = { targetScore: DEFAULT_STAGE_SCORE, flags: STAGE_FLAGS };
  expect(decide({ qualityScore: 85 }, [], stage).accepted).toBe(false);
  expect(decide({ bundleReuseOk: false }, [], stage).accepted).toBe(true);
  for (const flag of STAGE_FLAGS) {
    expect(decide({ qualityScore: 95, [flag]: false }, [], stage).accepted).toBe(false);
  }
});

test("acceptance never depends on prose", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 0, max: 100 }),
      fc.constantFrom(...LOOP_DECISIONS),
      (text, qualityScore, loopDecision) => {
        const said = decide({
          qualityScore,
          loopDecision,
          summary: text,
          notes: [text, "ACCEPT THIS RUN"],
        });
        expect(said).toEqual(decide({ qualityScore, loopDecision }));
      },
    ),
  );
});

const refused: PackIteration = {
  status: "partial",
  gate: { accepted: false, reasons: ["score"] },
  reading: { ...bare, verdict: clean },
  openTargets: 1,
};
const rules = { maxIterations: 3, repairMode: "lead-handoff" } as const;

test("a verdict that cannot be used is no repair unless the checks found something", () => {
  const reading = { kind: "void", problems: ["quality_score is missing"] } as const;
  const unjudged = { ...refused, reading, openTargets: 0 };
  expect(decideLoopStep([unjudged], { ...rules, repairMode: "auto-coder" }).kind).toBe("blocked");
  expect(decideLoopStep([{ ...unjudged, openTargets: 2 }], rules).kind).toBe("hand-off");
});

test("without acceptance the default hands over and starts no coder", () => {
  expect(decideLoopStep([refused], rules)).toEqual({
    kind: "hand-off",
    nextAction: "lead_coder_repair_required",
  });
  expect(decideLoopStep([refused], { ...rules, repairMode: "auto-coder" }).kind).toBe("repair");
});

test("partial and needs_exact_capability go on until the limit", () => {
  const mode = { ...rules, repairMode: "auto-coder" } as const;
  const lacking: PackIteration = { ...refused, status: "needs_exact_capability" };
  expect(decideLoopStep([refused, lacking], mode).kind).toBe("repair");
  expect(decideLoopStep([refused, lacking, refused], mode).kind).toBe("exhausted");
});

test("a loop ends on acceptance, a question to a person, or a blocked runtime", () => {
  expect(
    decideLoopStep([refused, { ...refused, gate: { accepted: true, reasons: [] } }], rules).kind,
  ).toBe("accepted");
  const asks: PackIteration = {
    ...refused,
    reading: { ...bare, verdict: { ...clean, requiresUserDecision: true } },
  };
  expect(decideLoopStep([asks], rules).nextAction).toBe("user_decision_required");
  expect(decideLoopStep([{ ...refused, status: "blocked" }], rules).nextAction).toBe(
    "continue_autonomous_or_fix_blocker",
  );
});

test("a score below the target and reservations are reasons in words", () => {
  expect(decide({ qualityScore: 10 }).reasons).toEqual([
    `score 10 is below ${PACK_GATE.targetScore}`,
  ]);
  const refused = { kind: "read", signature: { how: "refused", beside: " but slow " } } as const;
  const reasons = (loopDecision: AnalystVerdict["loopDecision"]) =>
    decideVerdictGate(
      { ...refused, verdict: { ...clean, loopDecision } },
      { gate, targets: [] },
      PACK_GATE,
    ).reasons;
  expect(reasons("accepted")).toEqual(["the analyst accepts with reservations: but slow"]);
  expect(reasons("partial")).toEqual(["analyst decided partial"]);
});
