import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reviewOf, stateOf, turnOf } from "../../../tests/support/drafting-story.ts";
import { defined } from "../values/defined.ts";
import {
  type DecisionFacts,
  decideLoop,
  decideState,
  isLocked,
  isTerminal,
  type LockableField,
  type LoopDecision,
  mergeDecision,
  shouldContinue,
} from "./decision.ts";

const allFields: readonly LockableField[] = ["final_iteration", "outcome", "reason"];

const secondTurn: DecisionFacts = {
  verdict: "changes_requested",
  done: true,
  iteration: 2,
  maxIterations: 5,
};

const anyFacts: fc.Arbitrary<DecisionFacts> = fc
  .record({
    verdict: fc.constantFrom("ok" as const, "changes_requested" as const, "needs_human" as const),
    done: fc.boolean(),
    maxIterations: fc.integer({ min: 1, max: 10 }),
    passed: fc.nat({ max: 9 }),
    stop: fc.constantFrom(
      undefined,
      "stalled" as const,
      "oscillating" as const,
      "late_issues" as const,
    ),
  })
  .map(({ passed, stop, ...facts }) => ({
    ...facts,
    iteration: 1 + (passed % facts.maxIterations),
    ...defined({ stop }),
  }));

const anyDecision: fc.Arbitrary<LoopDecision> = fc
  .record({
    outcome: fc.constantFrom("converged" as const, "needs_human" as const, "in_progress" as const),
    finalIteration: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
    reason: fc.option(fc.constantFrom("pinned", "stalled", "iteration_limit"), { nil: undefined }),
    lockedFields: fc.subarray([...allFields]),
  })
  .map(({ finalIteration, reason, ...decision }) => ({
    ...decision,
    ...defined({ finalIteration, reason }),
  }));

function fieldOf(decision: LoopDecision, field: LockableField): unknown {
  switch (field) {
    case "outcome":
      return decision.outcome;
    case "final_iteration":
      return decision.finalIteration;
    case "reason":
      return decision.reason;
  }
}

describe("decideLoop", () => {
  it("converges when the reviewer says ok and the creator is done, and locks everything", () => {
    expect(decideLoop({ ...secondTurn, verdict: "ok" })).toEqual({
      outcome: "converged",
      finalIteration: 2,
      reason: "reviewer_ok_and_creator_done",
      lockedFields: ["final_iteration", "outcome", "reason"],
    });
  });

  it("converges on the last turn too, whatever a stop rule says", () => {
    const last: DecisionFacts = { ...secondTurn, verdict: "ok", iteration: 5, stop: "stalled" };
    expect(decideLoop(last)?.outcome).toBe("converged");
  });

  it("names the limit before a stop rule", () => {
    const last: DecisionFacts = { ...secondTurn, iteration: 5, stop: "stalled" };
    expect(decideLoop(last)).toMatchObject({ outcome: "needs_human", reason: "iteration_limit" });
  });

  it("ends at the limit when the reviewer is content but the creator is not done", () => {
    const last: DecisionFacts = { ...secondTurn, verdict: "ok", done: false, iteration: 5 };
    expect(decideLoop(last)).toMatchObject({ outcome: "needs_human", reason: "iteration_limit" });
  });

  it("ends with the stop rule's own reason", () => {
    expect(decideLoop({ ...secondTurn, stop: "oscillating" })).toMatchObject({
      outcome: "needs_human",
      reason: "oscillating",
      finalIteration: 2,
    });
  });

  it("goes on after a verdict needs_human", () => {
    expect(decideLoop({ ...secondTurn, verdict: "needs_human" })).toBeUndefined();
  });

  it("converges exactly when both sides signed, and otherwise never passes the limit", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decideLoop(facts);
        const signed = facts.verdict === "ok" && facts.done;
        expect(decision?.outcome === "converged").toBe(signed);
        expect(decision === undefined).toBe(
          !signed && facts.iteration < facts.maxIterations && facts.stop === undefined,
        );
        if (decision !== undefined) {
          expect(isLocked(decision)).toBe(true);
          expect(decision.lockedFields).toEqual(allFields);
          expect(decision.finalIteration).toBe(facts.iteration);
        }
      }),
    );
  });
});

describe("decideState", () => {
  it("has nothing to decide before the first turn", () => {
    expect(decideState(stateOf([]), ["early_stop"])).toBeUndefined();
  });

  it("closes a state that stood at its limit without a decision", () => {
    const stood = stateOf([turnOf(1, "Hydrate Green")], { maxIterations: 1 });
    expect(decideState(stood, [])).toMatchObject({ reason: "iteration_limit", finalIteration: 1 });
  });

  it("finds the agreement of a last turn that was recorded but not decided", () => {
    const agreed = turnOf(1, "Save Our Seas", { review: reviewOf({ verdict: "ok" }) });
    expect(decideState(stateOf([agreed]), [])?.outcome).toBe("converged");
  });

  it("asks only the stop rules that the recipe names", () => {
    const same = stateOf([1, 2, 3].map((n) => turnOf(n, "Hydrate Green")));
    expect(decideState(same, [])).toBeUndefined();
    expect(decideState(same, ["early_stop"])?.reason).toBe("stalled");
  });
});

describe("isTerminal and isLocked", () => {
  const pinned: LoopDecision = { outcome: "needs_human", lockedFields: ["reason"] };

  it("tells an ended loop from one whose end is locked", () => {
    expect(isTerminal(pinned)).toBe(true);
    expect(isLocked(pinned)).toBe(false);
    expect(isLocked({ ...pinned, lockedFields: ["outcome"] })).toBe(true);
  });

  it("never takes a loop in progress for ended, even with a locked outcome", () => {
    expect(isLocked({ outcome: "in_progress", lockedFields: ["outcome"] })).toBe(false);
    expect(isTerminal(undefined)).toBe(false);
  });
});

describe("mergeDecision", () => {
  it("keeps a pinned reason while outcome and iteration are new", () => {
    const pinned: LoopDecision = {
      outcome: "in_progress",
      reason: "pinned",
      lockedFields: ["reason"],
    };
    const converged = decideLoop({ ...secondTurn, verdict: "ok" });
    expect(mergeDecision(pinned, converged)).toEqual({
      outcome: "converged",
      finalIteration: 2,
      reason: "pinned",
      lockedFields: ["final_iteration", "outcome", "reason"],
    });
  });

  it("takes whichever exists when there is only one", () => {
    const only: LoopDecision = { outcome: "needs_human", lockedFields: ["outcome"] };
    expect(mergeDecision(undefined, only)).toBe(only);
    expect(mergeDecision(only, undefined)).toBe(only);
    expect(mergeDecision(undefined, undefined)).toBeUndefined();
  });

  it("keeps every locked field, takes every other one, and unites the locks", () => {
    fc.assert(
      fc.property(anyDecision, anyDecision, (existing, proposed) => {
        const merged = mergeDecision(existing, proposed)!;
        for (const field of allFields) {
          const winner = existing.lockedFields.includes(field) ? existing : proposed;
          expect(fieldOf(merged, field)).toEqual(fieldOf(winner, field));
        }
        expect(merged.lockedFields).toEqual(
          allFields.filter(
            (field) =>
              existing.lockedFields.includes(field) || proposed.lockedFields.includes(field),
          ),
        );
      }),
    );
  });

  it("changes nothing when the same decision comes again, nor when everything is locked", () => {
    fc.assert(
      fc.property(anyDecision, anyDecision, (existing, proposed) => {
        const merged = mergeDecision(existing, proposed);
        expect(mergeDecision(merged, proposed)).toEqual(merged);
        const locked = { ...existing, lockedFields: allFields };
        expect(mergeDecision(locked, proposed)).toEqual(locked);
      }),
    );
  });
});

describe("shouldContinue", () => {
  it("goes on only while there are turns left and nothing is approved", () => {
    expect(shouldContinue(1, 5, false)).toBe(true);
    expect(shouldContinue(1, 5, true)).toBe(false);
    expect(shouldContinue(5, 5, false)).toBe(false);
  });
});
