import { describe, expect, it } from "vitest";
import { reviewOf, stateOf, turnOf } from "../../../tests/support/drafting-story.ts";
import { decideState, type LoopDecision } from "./decision.ts";
import { planResume } from "./resume-loop.ts";

const twoTurns = stateOf([turnOf(1, "Drink Green"), turnOf(2, "Live Clean")], {
  maxIterations: 3,
});
const atLimit = { ...twoTurns, maxIterations: 2 };
const signed = turnOf(2, "Save Our Seas", { review: reviewOf({ iteration: 2, verdict: "ok" }) });
const limitReached = decideState(atLimit, []);
const unlocked: LoopDecision = { outcome: "converged", finalIteration: 2, lockedFields: [] };

describe("planResume", () => {
  it("starts a loop without turns at the first", () => {
    expect(planResume({ state: stateOf([]), stopRules: [] })).toMatchObject({
      kind: "continue",
      iteration: 1,
    });
  });

  it("goes on after the last turn", () => {
    expect(planResume({ state: twoTurns, stopRules: [] })).toEqual({
      kind: "continue",
      state: twoTurns,
      iteration: 3,
    });
  });

  it("returns a locked decision whatever limit is asked for", () => {
    const decision = limitReached!;
    const plan = planResume({ state: atLimit, decision, maxIterations: 9, stopRules: [] });
    expect(plan).toEqual({ kind: "ended", decision });
  });

  it("closes a state that stood at its limit without a decision", () => {
    expect(planResume({ state: atLimit, stopRules: [] })).toEqual({
      kind: "close",
      state: atLimit,
      decision: limitReached,
    });
  });

  it("closes a state whose last turn both sides signed, whatever room is left", () => {
    const state = stateOf([turnOf(1, "Drink Green"), signed]);
    expect(planResume({ state, maxIterations: 9, stopRules: [] })).toMatchObject({
      kind: "close",
      decision: { outcome: "converged", finalIteration: 2 },
    });
  });

  it("takes a higher limit and records it", () => {
    expect(planResume({ state: atLimit, maxIterations: 4, stopRules: [] })).toEqual({
      kind: "continue",
      state: { ...atLimit, maxIterations: 4 },
      iteration: 3,
    });
  });

  it.each([2, 1, 0, -1, 2.5, Number.NaN])("refuses the limit %d and names the one needed", (n) => {
    expect(planResume({ state: twoTurns, maxIterations: n, stopRules: [] })).toEqual({
      kind: "refused",
      limit: n,
      needed: 3,
    });
  });

  it("goes on after an unlocked decision instead of making it again", () => {
    const state = stateOf([turnOf(1, "Drink Green"), signed]);
    expect(planResume({ state, decision: unlocked, stopRules: [] })).toMatchObject({
      kind: "continue",
      iteration: 3,
    });
    const full = { ...state, maxIterations: 2 };
    expect(planResume({ state: full, decision: unlocked, stopRules: [] })).toEqual({
      kind: "refused",
      limit: 2,
      needed: 3,
    });
  });
});
