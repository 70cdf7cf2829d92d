import { describe, expect, it } from "vitest";
import { classifyPair, countUndecided, isWorthAsking } from "./pair-state.ts";

const note = { path: "notes/prices.md", blobSha: "n1" };
const gate = { id: "prose/stock-phrases", blobSha: "g1" };
const good = {
  notePath: note.path,
  gateId: gate.id,
  modelId: "gpt-5",
  acceptedNoteSha: "n1",
  acceptedGateSha: "g1",
};
const old = { ...good, acceptedNoteSha: "n0" };

describe("a pair is", () => {
  it("fresh by the store or by its lock line", () => {
    expect(classifyPair({ note, gate, stored: good, locked: old })).toEqual({
      kind: "fresh",
      by: "store",
    });
    expect(classifyPair({ note, gate, stored: old, locked: good })).toEqual({
      kind: "fresh",
      by: "lock",
    });
    expect(classifyPair({ note, gate, locked: good })).toEqual({ kind: "fresh", by: "lock" });
  });

  it("stale with the reason of the source that knows more", () => {
    const changedGate = { ...good, acceptedGateSha: "g0" };
    expect(classifyPair({ note, gate, stored: old, locked: changedGate })).toEqual({
      kind: "stale",
      reason: "note-changed",
    });
    expect(classifyPair({ note, gate, locked: changedGate })).toEqual({
      kind: "stale",
      reason: "gate-changed",
    });
    expect(classifyPair({ note, gate })).toEqual({ kind: "stale", reason: "missing-review" });
  });

  it("undecided only for exactly the versions that were", () => {
    const undecided = { noteSha: "n1", gateSha: "g1", times: 1 };
    expect(classifyPair({ note, gate, undecided })).toEqual({
      kind: "undecided",
      reason: "missing-review",
      times: 1,
    });
    const earlier = { ...undecided, noteSha: "n0" };
    expect(classifyPair({ note, gate, undecided: earlier })).toEqual({
      kind: "stale",
      reason: "missing-review",
    });
    expect(classifyPair({ note, gate, stored: good, undecided })).toEqual({
      kind: "fresh",
      by: "store",
    });
  });
});

it("asking stops after two undecided reviews unless a person insists", () => {
  const undecided = (times: number) =>
    ({ kind: "undecided", reason: "missing-review", times }) as const;
  expect(isWorthAsking({ kind: "fresh", by: "store" }, true)).toBe(false);
  expect(isWorthAsking({ kind: "stale", reason: "note-changed" }, false)).toBe(true);
  expect([1, 2, 3].map((times) => isWorthAsking(undecided(times), false))).toEqual([
    true,
    false,
    false,
  ]);
  expect(isWorthAsking(undecided(5), true)).toBe(true);
});

it("a decided review starts the count of undecided ones anew", () => {
  expect(countUndecided(["unknown", "error"])).toBe(2);
  expect(countUndecided(["unknown", "warn", "error"])).toBe(1);
  expect(countUndecided(["unknown", "pass"])).toBe(0);
});
