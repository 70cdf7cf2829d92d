import { describe, expect, it } from "vitest";
import { acceptanceOfReview, planAcks } from "./acceptance.ts";
import { isFailing, reviewDecisions } from "./decision.ts";

const pair = {
  notePath: "notes/prices.md",
  noteSha: "n1",
  gateId: "prose/stock-phrases",
  gateSha: "g1",
};
const current = {
  notePath: pair.notePath,
  gateId: pair.gateId,
  modelId: "gpt-5",
  acceptedNoteSha: "n0",
  acceptedGateSha: "g1",
};

it("a review earns an acceptance exactly when it decided something", () => {
  const earned = reviewDecisions.filter(
    (decision) => acceptanceOfReview({ ...pair, decision }, "gpt-5") !== undefined,
  );
  expect(earned).toEqual(["pass", "warn", "fail"]);
  expect(acceptanceOfReview({ ...pair, decision: "fail" }, "gpt-5")).toEqual({
    ...current,
    acceptedNoteSha: "n1",
    kind: "full-review",
  });
});

describe("acknowledging", () => {
  it("takes stale pairs once and leaves fresh ones alone", () => {
    const fresh = {
      ...pair,
      gateId: "prose/other",
      current: { ...current, acceptedNoteSha: "n1" },
    };
    const stale = { ...pair, current };
    expect(planAcks([stale, fresh, stale])).toEqual({ kind: "acknowledge", pairs: [stale] });
  });

  it("takes every note and every gate for itself", () => {
    const stale = { ...pair, current };
    const pairs = [
      stale,
      { ...stale, notePath: "notes/returns.md" },
      { ...stale, gateId: "prose/other" },
    ];
    expect(planAcks(pairs)).toEqual({ kind: "acknowledge", pairs });
  });

  it("refuses all when one was never reviewed", () => {
    const never = { ...pair, gateId: "prose/new" };
    expect(planAcks([{ ...pair, current }, never])).toEqual({
      kind: "refused",
      neverReviewed: [never],
    });
  });
});

it("a warning fails a pair only where the gate says so", () => {
  expect([isFailing("warn", "fail"), isFailing("warn", "warn")]).toEqual([false, true]);
  expect([isFailing("fail", "fail"), isFailing("pass", "warn")]).toEqual([true, false]);
});
