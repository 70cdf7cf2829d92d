import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decidePanel,
  labelProblem,
  type PanelAnswer,
  type PanelRule,
  type PanelVote,
} from "./panel.ts";

const anyVotes = fc.array(
  fc.record({
    member: fc.constantFrom("ada", "ben", "legal"),
    answer: fc.constantFrom<PanelAnswer>("approves", "objects", "needs_human", "absent"),
    statesError: fc.boolean(),
  }),
  { minLength: 1, maxLength: 7 },
);
const rules: readonly PanelRule[] = ["all", "majority", "any"];

function votesOf(answers: readonly PanelAnswer[]): readonly PanelVote[] {
  return answers.map((answer, at) => ({ member: `m${at + 1}`, answer, statesError: false }));
}

describe("a panel", () => {
  it.each<[PanelRule, readonly PanelAnswer[], string]>([
    ["all", ["approves", "approves"], "ok"],
    ["all", ["approves", "objects"], "changes_requested"],
    ["all", ["approves", "approves", "absent"], "changes_requested"],
    ["majority", ["approves", "approves", "objects"], "ok"],
    ["majority", ["approves", "objects"], "changes_requested"],
    ["majority", ["approves", "approves", "objects", "absent"], "changes_requested"],
    ["majority", ["approves", "approves", "approves", "objects", "absent"], "ok"],
    ["majority", ["approves", "absent"], "changes_requested"],
    ["any", ["approves", "objects", "objects"], "ok"],
    ["any", ["approves", "absent", "absent"], "ok"],
    ["any", ["objects", "absent"], "changes_requested"],
    ["any", ["absent"], "changes_requested"],
    ["any", ["approves", "needs_human"], "needs_human"],
    ["majority", ["approves", "approves", "needs_human"], "needs_human"],
    ["all", ["needs_human", "objects"], "needs_human"],
  ])("under %s makes of %j: %s", (rule, answers, verdict) => {
    expect(decidePanel(votesOf(answers), rule).verdict).toBe(verdict);
  });

  it("of the kind any does not pass over an error that was stated as one", () => {
    const [ada, legal] = votesOf(["approves", "objects"]) as [PanelVote, PanelVote];
    expect(decidePanel([ada, legal], "any").verdict).toBe("ok");
    const stated = { ...legal, statesError: true };
    expect(decidePanel([ada, stated], "any").verdict).toBe("changes_requested");
  });

  it("tells who answered what, and the rule", () => {
    const votes = votesOf(["approves", "objects", "needs_human", "absent"]);
    expect(decidePanel(votes, "majority")).toEqual({
      rule: "majority",
      verdict: "needs_human",
      approved: ["m1"],
      objected: ["m2"],
      calledPerson: ["m3"],
      absent: ["m4"],
    });
  });

  it("passes a single member's answer through under every rule", () => {
    for (const rule of rules) {
      expect(decidePanel(votesOf(["approves"]), rule).verdict).toBe("ok");
      expect(decidePanel(votesOf(["objects"]), rule).verdict).toBe("changes_requested");
      expect(decidePanel(votesOf(["needs_human"]), rule).verdict).toBe("needs_human");
    }
  });

  it("never approves over a call for a person, or without one approving member", () => {
    fc.assert(
      fc.property(anyVotes, fc.constantFrom(...rules), (votes, rule) => {
        const { verdict, approved, calledPerson } = decidePanel(votes, rule);
        if (calledPerson.length > 0) expect(verdict).toBe("needs_human");
        if (approved.length === 0) expect(verdict).not.toBe("ok");
      }),
    );
  });

  it("is strictest when all must approve, and blind to the order", () => {
    fc.assert(
      fc.property(anyVotes, (votes) => {
        const verdictBy = (rule: PanelRule) => decidePanel(votes, rule).verdict;
        if (verdictBy("all") === "ok") expect(verdictBy("majority")).toBe("ok");
        for (const rule of rules) {
          expect(decidePanel(votes.toReversed(), rule).verdict).toBe(verdictBy(rule));
        }
      }),
    );
  });
});

describe("labelProblem", () => {
  it("refuses names that reviews and files use for something else, and what is no name", () => {
    for (const name of ["checks", "Person", "panel", "", "../legal", "brand lead"]) {
      expect(labelProblem(name)).toBeDefined();
    }
    expect(labelProblem("ada")).toBeUndefined();
  });
});
