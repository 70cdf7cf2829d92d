import { describe, expect, it } from "vitest";
import { classifyUnfitting, freshState, isWorthAsking } from "./pair-state.ts";

const note = { path: "notes/prices.md", blobSha: "n1" };
const gate = { id: "prose/stock-phrases", blobSha: "g1" };
const pair = { notePath: note.path, gateId: gate.id, modelId: "gpt-5" };
const earlier = { ...pair, acceptedNoteSha: "n0", acceptedGateSha: "g1" };

describe("a pair that no verdict fits is", () => {
  it("stale, with what changed since the verdict that would count", () => {
    expect(classifyUnfitting({ note, gate, earlier })).toMatchObject({ reason: "note-changed" });
    const changedGate = { ...earlier, acceptedGateSha: "g0" };
    expect(classifyUnfitting({ note, gate, earlier: changedGate })).toMatchObject({
      kind: "stale",
      reason: "gate-changed",
    });
    expect(classifyUnfitting({ note, gate })).toMatchObject({ reason: "missing-review" });
  });

  it("undecided when exactly these versions were left undecided", () => {
    const undecided = { noteSha: "n1", gateSha: "g1", times: 2 };
    expect(classifyUnfitting({ note, gate, undecided })).toEqual({
      kind: "undecided",
      reason: "missing-review",
      times: 2,
    });
    const older = { ...undecided, noteSha: "n0" };
    expect(classifyUnfitting({ note, gate, undecided: older })).toMatchObject({ kind: "stale" });
    const decided = { ...undecided, times: 0 };
    expect(classifyUnfitting({ note, gate, undecided: decided })).toMatchObject({ kind: "stale" });
  });
});

it("undecided twice is asked again only on demand", () => {
  const left = (times: number) => ({ kind: "undecided", reason: "missing-review", times }) as const;
  expect(isWorthAsking(left(1), false)).toBe(true);
  expect(isWorthAsking(left(2), false)).toBe(false);
  expect(isWorthAsking(left(2), true)).toBe(true);
  expect(isWorthAsking(freshState, true)).toBe(false);
});
