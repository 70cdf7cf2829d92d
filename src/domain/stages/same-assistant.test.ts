import { describe, expect, it } from "vitest";
import { assistantsOf, countsFor, withoutStrangers } from "./same-assistant.ts";
import type { LoopFinished, StageAssistant, StageEvent } from "./stage-history.ts";

const replayOf = (assistant: StageAssistant): StageEvent => ({
  ...{ kind: "loop-finished", loopId: "loop-01/iterations/01", packHash: "p", status: "accepted" },
  ...{ accepted: true, requiresUserDecision: false, openP0: 0, openP1: 0 },
  replay: {
    ...{ begunAt: "2026-01-01T00:00:00.000Z", assistant, analyst: "offline/rules", deciders: [] },
    asked: [{ question: "How many?", isAnswered: true, problems: [] }],
    findings: [],
  },
});
const vouched = (to: StageAssistant): StageEvent => ({
  ...{ kind: "assistant-changed", to, by: "Ada", reason: "it has moved" },
});
const shop = { url: "http://shop", setup: "a" };
const masked = { url: "http://shop", setup: "b" };
const older = { url: "http://shop" };

/** Which of the replays prove something. */
const counting = (...history: readonly StageEvent[]) =>
  withoutStrangers(history)
    .filter((event): event is LoopFinished => event.kind === "loop-finished")
    .map(({ accepted, replay }) => accepted && replay?.asked.length === 1);

describe("answers that were asked for or read in another way", () => {
  it("prove nothing until a person vouches for the change", () => {
    expect(counting(replayOf(shop), replayOf(masked), replayOf(shop))).toEqual([true, false, true]);
    const moved = [replayOf(shop), vouched(masked), replayOf(masked)];
    expect(counting(...moved, replayOf(shop), replayOf(masked))).toEqual([true, true, false, true]);
  });

  it("are not known in records of older versions, which bind nothing", () => {
    expect(counting(replayOf(older), replayOf(shop))).toEqual([true, true]);
    expect(counting(replayOf(older), replayOf(shop), replayOf(masked))).toEqual([
      ...[true, true, false],
    ]);
  });

  it("count for one change only where an older version recorded the change", () => {
    const moved = [replayOf(shop), vouched(older), replayOf(masked)];
    expect(counting(...moved, replayOf(shop))).toEqual([true, true, false]);
  });
});

it("an assistant that a person named is the stage's once it has answered", () => {
  const other = { url: "http://other", setup: "a" };
  const waiting = assistantsOf([replayOf(shop), vouched(other)]);
  expect(countsFor(waiting, shop)).toBe(true);
  expect(countsFor(waiting, other)).toBe(true);
  const answered = assistantsOf([replayOf(shop), vouched(other), replayOf(other)]);
  expect(countsFor(answered, shop)).toBe(false);
  expect(countsFor(answered, other)).toBe(true);
});
