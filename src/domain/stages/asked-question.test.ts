import { describe, expect, it } from "vitest";
import { type AskedQuestion, isSameCheck, type StageFinding } from "./asked-question.ts";
import { decideClose } from "./close-stage.ts";
import { NEXT_ACTIONS, type NextAction, waitsForPerson } from "./next-action.ts";
import type { StageHistory } from "./stage-history.ts";

const finding = {
  ...{ findingId: "f1", severity: "P1", problemType: "answer_content_gap", isVisible: true },
  ...{ question: "How many?", asAsked: "a", asWorded: "w", basis: "b" },
} as unknown as StageFinding;
const asked = {
  ...{ question: "Something else", asAsked: "a", asWorded: "w", basis: "b" },
  ...{ isAnswered: true, problems: [] },
} as unknown as AskedQuestion;

describe("a finding is checked again", () => {
  it("by the same question as asked or as worded, against the same expectations", () => {
    expect(isSameCheck(finding, asked)).toBe(true);
    expect(isSameCheck(finding, { ...asked, asAsked: "other" })).toBe(true);
    expect(isSameCheck(finding, { ...asked, asWorded: "other" })).toBe(true);
    expect(isSameCheck(finding, { ...asked, asAsked: "x", asWorded: "y" })).toBe(false);
    expect(isSameCheck(finding, { ...asked, basis: "other" })).toBe(false);
  });

  it("against any expectations, if every answer is checked for it and no analyst found it", () => {
    const always = { ...finding, problemType: "answer_noise_gap" };
    const other = { ...asked, basis: "other" };
    expect(isSameCheck(always, other)).toBe(true);
    expect(isSameCheck({ ...always, analyst: "openai/gpt-5" }, other)).toBe(false);
  });

  it("by its wording alone, if it comes from elsewhere", () => {
    const { asAsked, asWorded, ...elsewhere } = finding;
    expect(isSameCheck(elsewhere, { ...asked, question: " how MANY? " })).toBe(true);
    expect(isSameCheck(elsewhere, asked)).toBe(false);
    const { asWorded: _, ...known } = finding;
    expect(isSameCheck(known, { ...asked, question: "How many?", asAsked: "x" })).toBe(false);
  });
});

it("closing a stage needs a person's name, and keeps the reason if there is one", () => {
  const history = [
    { kind: "loop-finished", loopId: "l1", accepted: true, packHash: "p" },
  ] as unknown as StageHistory;
  expect(decideClose(history, { confirmedBy: " Ada ", reason: " seen " })).toEqual({
    ...{ kind: "close", event: { kind: "stage-closed", confirmedBy: "Ada", reason: "seen" } },
  });
  const silent = decideClose(history, { confirmedBy: "Ada", reason: "  " });
  expect(silent).toEqual({ kind: "close", event: { kind: "stage-closed", confirmedBy: "Ada" } });
  expect(decideClose(history, { confirmedBy: " " })).toEqual({
    ...{ kind: "refuse", reasons: ["closing needs the name of the person who confirms"] },
  });
});

it("a stage waits for a person unless it is closed or was never run", () => {
  const actions = Object.keys(NEXT_ACTIONS) as NextAction[];
  expect(actions.filter((one) => !waitsForPerson(one)).sort()).toEqual([
    "continue_autonomous_or_fix_blocker",
    "stage_closed",
  ]);
});
