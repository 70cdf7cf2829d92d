import { describe, expect, it } from "vitest";
import { AdaptiveLimit } from "./adaptive-limit.ts";

const patient = new AbortController().signal;

describe("AdaptiveLimit", () => {
  it("lets no more in than the limit, and the rest in the order they came", async () => {
    const limit = new AdaptiveLimit(2);
    const order: string[] = [];
    await Promise.all([limit.enter(patient), limit.enter(patient)]);
    const third = limit.enter(patient).then(() => order.push("third"));
    const fourth = limit.enter(patient).then(() => order.push("fourth"));
    await Promise.resolve();
    expect(order).toEqual([]);
    limit.leave();
    await third;
    expect([order, limit.running]).toEqual([["third"], 2]);
    limit.leave();
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
    expect(limit.running).toBe(2);
  });

  it("halves on overload and never falls below one", () => {
    const limit = new AdaptiveLimit(5);
    for (const expected of [2, 1, 1]) {
      limit.overloaded();
      expect(limit.limit).toBe(expected);
    }
  });

  it("grows back one step after as many successes as the present limit, up to the configured number", () => {
    const limit = new AdaptiveLimit(4);
    limit.overloaded();
    const seen = Array.from({ length: 10 }, () => {
      limit.succeeded();
      return limit.limit;
    });
    expect(seen).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4]);
  });

  it("lets one waiter give up without affecting the others", async () => {
    const limit = new AdaptiveLimit(1);
    await limit.enter(patient);
    const leaving = new AbortController();
    const gone = limit.enter(leaving.signal);
    const next = limit.enter(patient);
    leaving.abort(new Error("went home"));
    await expect(gone).rejects.toThrow("went home");
    limit.leave();
    await next;
    expect(limit.running).toBe(1);
  });

  it("admits the waiting when the limit grows", async () => {
    const limit = new AdaptiveLimit(2);
    limit.overloaded();
    await limit.enter(patient);
    const second = limit.enter(patient);
    limit.succeeded();
    await second;
    expect(limit.running).toBe(2);
  });
});
