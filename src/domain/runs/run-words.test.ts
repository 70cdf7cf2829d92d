import { describe, expect, it } from "vitest";
import { decisionRule } from "../drafting/decision.ts";
import { describeRun } from "./run-words.ts";

describe("the state of a run in words", () => {
  it.each([
    [{ state: "running" as const }, "running", "busy"],
    [{ state: "waiting" as const }, "needs input", "wait"],
    [{ state: "finished" as const, outcome: "max_turns" as const }, "not approved", "wait"],
    [
      { state: "finished" as const, outcome: "approved" as const, ruledBy: "Ada", rule: 1 },
      "approved by Ada",
      "good",
    ],
    [
      { state: "finished" as const, outcome: "approved" as const, rule: decisionRule - 1 },
      `approved under rule ${decisionRule - 1}`,
      "wait",
    ],
    [
      { state: "finished" as const, outcome: "approved" as const, rule: decisionRule },
      "approved",
      "good",
    ],
    [{ state: "finished" as const, outcome: "partial" as const }, "partial", "wait"],
    [{ state: "finished" as const, outcome: "settled" as const }, "decided by a person", "plain"],
    [{ state: "finished" as const }, "finished", "good"],
  ])("%j reads %s", (run, words, tone) => {
    expect(describeRun(run)).toMatchObject({ words, tone });
  });

  it("does not show an old outcome while the run is running again", () => {
    expect(describeRun({ state: "running", outcome: "max_turns" }).words).toBe("running");
  });
});
