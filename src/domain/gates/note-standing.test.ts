import { describe, expect, it } from "vitest";
import { decideNoteStanding, type NoteEvidence } from "./note-standing.ts";

const model = "openai/gpt-5";
const accepted: NoteEvidence = {
  notePath: "notes/prices.md",
  gateId: "prose/clear",
  model,
  failLevel: "warn",
  state: { kind: "fresh" },
  verdict: { says: "pass", decision: "pass" },
  dismissed: 0,
  derived: ["pass"],
  decider: "model",
  isStandInRefused: false,
};
const standing = (more: Partial<NoteEvidence> = {}) => decideNoteStanding({ ...accepted, ...more });
const review = "signoff notes review notes/prices.md --gate prose/clear";

describe("a note is accepted", () => {
  it("with a fitting verdict that the recorded reply bears out", () => {
    expect(standing()).toEqual({
      ...{ kind: "note", name: `notes/prices.md:prose/clear (${model})`, accepted: true },
      ...{ support: "proven", deciders: ["model"], why: "the verdict is pass" },
    });
  });

  it("no further than attested if the reply is not at hand", () => {
    expect(standing({ derived: [] })).toMatchObject({
      ...{ accepted: true, support: "attested" },
      why: "the verdict is pass; its reply is not in this store",
    });
  });

  it("by a person's ruling, whatever the reply says", () => {
    const ruling = { by: "Ada", reason: "agreed on the phone" };
    const ruled = { verdict: { says: "fail", decision: "pass" }, ruling } as const;
    expect(standing({ ...ruled, derived: ["fail"], misfiled: model })).toMatchObject({
      ...{ accepted: true, support: "proven", deciders: ["person"] },
      why: "the verdict is pass; Ada ruled so: agreed on the phone",
    });
  });

  it("with dismissed findings by the judge and a person", () => {
    expect(standing({ dismissed: 2 })).toMatchObject({
      ...{ deciders: ["model", "person"], why: "the verdict is pass; with dismissed findings" },
    });
  });
});

describe("a note is not accepted", () => {
  const lacks = (more: Partial<NoteEvidence>) => {
    const { accepted: is, why, ...rest } = standing(more);
    return [is, why, "missing" in rest ? rest.missing[0]?.command : undefined];
  };

  it("without a review of its present version", () => {
    const stale = { kind: "stale", reason: "note-changed" } as const;
    expect(lacks({ state: stale })).toEqual([false, "stale: note-changed", review]);
    expect(lacks({ state: stale, model: "panel/editors" })).toEqual([
      ...[false, "stale: note-changed", `${review} --panel editors`],
    ]);
    const { verdict, ...none } = accepted;
    expect(decideNoteStanding(none)).toMatchObject({ why: "stale: missing-review" });
  });

  it("while its reviews come to no verdict", () => {
    const undecided = { kind: "undecided", reason: "missing-review" } as const;
    expect(lacks({ state: { ...undecided, times: 1 } })).toEqual([
      false,
      "undecided: one review without a verdict",
      `${review} --model ${model} --retry-undecided`,
    ]);
    expect(lacks({ state: { ...undecided, times: 3 }, model: "panel/editors" })).toEqual([
      false,
      "undecided: 3 reviews without a verdict",
      `${review} --panel editors --retry-undecided`,
    ]);
  });

  it.each([
    [["fail", "warn"], "says fail", "fail"],
    [["warn"], "says warn", "warn"],
    [["pass", "warn"], "says warn", "warn"],
    [["unknown"], "decides nothing", "fail"],
  ] as const)("if its recorded replies say %j", (derived, words, to) => {
    const [is, why, command] = lacks({ derived });
    expect([is, why]).toEqual([false, `filed as pass, but its reply ${words}`]);
    expect(command).toBe(
      `signoff notes override notes/prices.md:prose/clear --to ${to} --reason "as the recorded reply says" --model ${model}`,
    );
  });

  it("if the reply was about other texts", () => {
    expect(lacks({ misfiled: "openai/gpt-4o" })).toEqual([
      false,
      "filed as pass, but its reply is about other texts",
      `${review} --again --model openai/gpt-4o`,
    ]);
    expect(lacks({ misfiled: "openai/gpt-4o", model: "panel/editors" })).toEqual([
      false,
      "filed as pass, but its reply is about other texts or another judge's",
      `${review} --again --panel editors`,
    ]);
  });

  it("if only a stand-in judged and the project does not take that", () => {
    expect(lacks({ isStandInRefused: true })).toEqual([
      ...[false, "judged by a built-in stand-in only", undefined],
    ]);
  });

  it("from the gate's fail level on", () => {
    const warned = { verdict: { says: "warn", decision: "warn" }, derived: ["warn"] } as const;
    const [is, why, command] = lacks(warned);
    expect([is, why, command]).toEqual([
      ...[false, "the verdict is warn", "signoff notes warns notes/prices.md"],
    ]);
    expect(standing({ ...warned, failLevel: "fail" }).accepted).toBe(true);
  });
});
