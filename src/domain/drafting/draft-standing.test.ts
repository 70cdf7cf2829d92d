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

  it("refuses a record that says more than the replies, or another decision", () => {
    const more = [...events, { kind: "candidate-written", data: { turn: 2 } }];
    const recorded = { events: more, decision: stored };
    expect(draftMisfit({ ...signed, recorded })).toBe(
      "The record has the text of turn 2, which no reply gave",
    );
    const listed = { events, decision: { ...stored, final_iteration: 2 } };
    expect(draftMisfit({ ...signed, recorded: listed })).toBe(
      "The decision kept with the run does not follow from its turns",
    );
  });

  it("leaves replies of an older rule unread, and asks a person about their text", () => {
    const older: DraftEvidence = { ...signed, derived: { kind: "older-rule", rule: 1 } };
    expect(draftMisfit(older)).toBeUndefined();
    expect(draftStanding(older)).toMatchObject({
      accepted: false,
      why: "“water bottles”: approved under rule 1",
      missing: [{ command: "signoff runs approve run-7" }],
    });
    const recorded = { ...signed.recorded, decision: { outcome: "max_turns" } };
    expect(draftStanding({ ...older, recorded })).toMatchObject({
      why: "“water bottles”: not approved under rule 1",
    });
  });

  it("takes an approval of a text of the run only, and a person's own text as it is", () => {
    const ruling = (act: "approve" | "edit", text: string) =>
      draftMisfit({ ...signed, rulings: [{ act, by: "Ada", at, text }] });
    expect(ruling("approve", "Sip.")).toBeUndefined();
    expect(ruling("approve", "Gulp.")).toBe("The text that Ada approved is not a text of this run");
    expect(ruling("edit", "Gulp.")).toBeUndefined();
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
