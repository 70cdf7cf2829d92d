import { expect, it } from "vitest";
import { instant } from "../../domain/values/instant.ts";
import type { Clock } from "../../ports/clock.ts";
import { OwnSlots, Pace } from "./pace.ts";

const never = new AbortController().signal;

/** A clock that advances only when the code under test sleeps, or when the test says so. */
class SteppedClock implements Clock {
  millis = 0;
  now = () => instant("2026-11-15T12:00:00.000Z");
  monotonic = () => this.millis;
  sleep = async (millis: number) => {
    this.millis += millis;
  };
}

/** Sends requests one after the other, each after a preparation; returns when each was sent. */
async function sendAll(preparations: readonly number[], rate?: number): Promise<readonly number[]> {
  const clock = new SteppedClock();
  const pace = new Pace(clock, new OwnSlots(clock, () => rate));
  const sent: number[] = [];
  for (const preparation of preparations) {
    const turn = await pace.approach("lab", never);
    clock.millis += preparation;
    await turn?.arrive(never);
    await turn?.send(never);
    sent.push(clock.millis);
  }
  return sent;
}

it("spaces the requests of a provider that allows a few a second, and no others", async () => {
  expect(await sendAll([0, 0, 0, 0], 10)).toEqual([0, 100, 200, 300]);
  expect(await sendAll([0, 0, 0, 0])).toEqual([0, 0, 0, 0]);
});

it("prepares a request before its slot, so that slow preparations change nothing", async () => {
  expect(await sendAll([40, 40, 40, 40], 10)).toEqual([40, 100, 200, 300]);
});

it("sends a request that has missed its slot in another, not close to the next one", async () => {
  expect(await sendAll([0, 170, 0, 0], 10)).toEqual([0, 270, 370, 470]);
});

it("sends a request in its slot if it comes just within what a provider tolerates", async () => {
  expect(await sendAll([0, 50], 10)).toEqual([0, 150]);
  expect(await sendAll([0, 51], 10)).toEqual([0, 200]);
});

it("begins to prepare twice as long before the slot as the last preparation took", async () => {
  const clock = new SteppedClock();
  const pace = new Pace(clock, new OwnSlots(clock, () => 1));
  const begun: number[] = [];
  for (const preparation of [40, 100, 700, 0]) {
    const turn = await pace.approach("lab", never);
    begun.push(clock.millis);
    clock.millis += preparation;
    await turn?.arrive(never);
  }
  // The third misses its slot at 2,000 and is sent in the next; no preparation begins more than a second ahead.
  expect(begun).toEqual([0, 920, 1_800, 3_000]);
});

it("sends every further request of an attempt in a slot of its own", async () => {
  const clock = new SteppedClock();
  const pace = new Pace(clock, new OwnSlots(clock, () => 10));
  const sent: number[] = [];
  const turn = await pace.approach("lab", never);
  for (let asked = 0; asked < 3; asked += 1) {
    await turn?.send(never);
    sent.push(clock.millis);
  }
  expect(sent).toEqual([0, 100, 200]);
});
