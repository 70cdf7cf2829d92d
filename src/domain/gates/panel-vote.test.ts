import { describe, expect, it } from "vitest";
import { isDecidedByStandIn, type JudgeAnswer, voteOnPair, voteOnSeries } from "./panel-vote.ts";

const answers = (...all: readonly JudgeAnswer["answer"][]): readonly JudgeAnswer[] =>
  all.map((answer, at) => ({ member: `member ${at + 1}`, answer }));
const by = (rule: "all" | "majority" | "any") => ({ rule });
const decide = (
  rule: "all" | "majority" | "any",
  all: readonly JudgeAnswer["answer"][],
  failLevel: "warn" | "fail" = "fail",
) => voteOnPair(answers(...all), by(rule), failLevel).decision;

describe("a panel's vote on a note", () => {
  it("approves by verdicts below the gate's fail level, and is as bad as the worst of them", () => {
    expect(decide("majority", ["pass", "warn", "fail"])).toBe("warn");
    expect(decide("majority", ["pass", "warn", "fail"], "warn")).toBe("fail");
    expect(decide("all", ["pass", "pass"])).toBe("pass");
    expect(decide("all", ["pass", "fail"])).toBe("fail");
    expect(decide("all", ["pass", "warn"], "warn")).toBe("warn");
  });

  it("takes an undecided answer for an objection, and an absent member for none that approves", () => {
    expect(decide("majority", ["pass", "undecided"])).toBe("fail");
    expect(decide("majority", ["pass", "pass", "absent"])).toBe("pass");
    expect(decide("all", ["pass", "pass", "absent"])).toBe("fail");
  });

  it("under any is blocked by a member's FAIL", () => {
    expect(decide("any", ["pass", "undecided"])).toBe("pass");
    expect(decide("any", ["pass", "fail"])).toBe("fail");
  });
});

it("stand-ins decide for a panel if one of them is a member", () => {
  const members = ["openai/gpt-5", "offline/rules"].map((model) => ({
    ...{ name: model, model, judge: model },
  }));
  const panels = { mixed: { rule: "any", members } } as const;
  expect(isDecidedByStandIn("panel/mixed", panels)).toBe(true);
  expect(isDecidedByStandIn("panel/other", panels)).toBe(false);
  expect(isDecidedByStandIn("offline/rules", panels)).toBe(true);
});

it.each([
  [["pass", "pass", "fail"], "pass"],
  [["pass", "warn", "pass"], "pass"],
  [["pass", "warn", "fail"], "warn"],
  [["pass", "fail"], "fail"],
  [["pass", "warn"], "warn"],
  [["pass", "unknown"], "fail"],
  [["pass", "pass", "error"], "pass"],
  [["fail", "fail", "pass"], "fail"],
] as const)("a series of %j comes to %s", (answers, decision) => {
  expect(voteOnSeries(answers)).toBe(decision);
});

it("an undecided or absent member makes the verdict of its side no worse", () => {
  expect(decide("any", ["pass", "undecided"], "warn")).toBe("pass");
  expect(decide("all", ["warn", "undecided"], "warn")).toBe("warn");
  expect(decide("all", ["undecided", "absent"], "warn")).toBe("warn");
});
