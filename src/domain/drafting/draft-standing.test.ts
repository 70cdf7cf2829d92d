import { describe, expect, it } from "vitest";
import { instant } from "../values/instant.ts";
import {
  type DraftEvidence,
  draftMisfit,
  draftStanding,
  undecidedStanding,
} from "./draft-standing.ts";

const at = instant("2026-03-02T08:00:00.000Z");
const decision = {
  outcome: "converged",
  finalIteration: 1,
  reason: "reviewer_ok_and_creator_done",
  lockedFields: ["outcome"],
} as const;
const stored = { outcome: "converged", final_iteration: 1, reason: "reviewer_ok_and_creator_done" };
const events = [
  {
    kind: "iteration-recorded",
    data: { iteration: { iteration: 1, candidate: { content: "Sip." } } },
  },
  { kind: "loop-decided", data: { decision: stored } },
];
const signed: DraftEvidence = {
  ...{ runId: "run-7", brief: "water bottles", recipe: "slogan" },
  recorded: { events, decision: stored },
  derived: { kind: "derived", events, decision },
  deciders: ["model"],
  rulings: [],
};

describe("draftStanding", () => {
  it("accepts what follows from the replies", () => {
    expect(draftStanding(signed)).toMatchObject({ accepted: true, deciders: ["model"] });
  });

  it("does not hold against a record what only newer versions write", () => {
    const newer = events.map(({ kind, data }) => ({ kind, data: { ...data, rule: 9 } }));
    const derived = { kind: "derived", events: newer, decision } as const;
    expect(draftMisfit({ ...signed, derived })).toBeUndefined();
    const recorded = { events: newer, decision: stored };
    expect(draftMisfit({ ...signed, recorded })).toBe(
      "The result of turn 1 does not follow from the recorded replies",
    );
  });

  it("is that of the last ruling: a signed draft that a person wants changed is not accepted", () => {
    const wish = { act: "request_changes", by: "Ada", at, reason: "Longer." } as const;
    expect(draftStanding({ ...signed, rulings: [wish] })).toMatchObject({
      accepted: false,
      why: "“water bottles”: Ada requested changes: Longer.",
    });
    const approval = { act: "approve", by: "Ada", at, text: "Sip." } as const;
    const standing = draftStanding({ ...signed, rulings: [wish, approval] });
    expect(standing).toMatchObject({ accepted: true, deciders: ["person"] });
  });

  it("does not let a ruling cover a record that was edited", () => {
    const approval = { act: "approve", by: "Ada", at, text: "Sip." } as const;
    const derived = { kind: "broken", why: "The reply at turn/1 is missing", events: [] } as const;
    expect(draftStanding({ ...signed, derived, rulings: [approval] })).toMatchObject({
      accepted: false,
      missing: [{ text: "The reply at turn/1 is missing." }],
    });
  });

  it("names the command that brings an open loop to a decision", () => {
    const draft = { runId: "run-7", brief: "water bottles" };
    expect(undecidedStanding({ ...draft, state: "failed" })).toMatchObject({
      accepted: false,
      why: "“water bottles”: nothing is decided yet (failed)",
      missing: [{ command: "signoff runs resume run-7" }],
    });
    expect(undecidedStanding({ ...draft, state: "waiting" })).toMatchObject({
      missing: [{ command: "signoff inbox" }],
    });
  });
});
