import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../tests/support/postgres.ts";
import { systemClock } from "../../../wiring/project/system-clock.ts";
import { migrateQueue } from "./migrate-queue.ts";
import { type ClusterPool, openClusterPool } from "./open-pool.ts";
import { type ProviderLimit, SharedLimits } from "./shared-limits.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let cluster: ClusterPool;
beforeAll(async () => {
  database = await createDatabase(inject("postgres"));
  await migrateQueue(database.url);
  cluster = await openClusterPool(database.url, 8);
});
afterAll(async () => {
  await cluster.pool.end();
  await database.drop();
});

const never = new AbortController().signal;

function workers(
  count: number,
  limit: ProviderLimit,
  slowed: (by: number) => void = () => undefined,
) {
  return Array.from(
    { length: count },
    (_, at) =>
      new SharedLimits({
        ...{ pool: cluster.pool, worker: randomUUID(), clock: systemClock },
        limitOf: () => limit,
        slowed: () => slowed(at),
      }),
  );
}

test("four workers together never have more calls at once than the provider allows", async () => {
  const provider = `places-${randomUUID()}`;
  let [running, most, done] = [0, 0, 0];
  const call = async (limits: SharedLimits): Promise<void> => {
    await limits.enter(provider, never);
    running += 1;
    most = Math.max(most, running);
    await pause(10);
    running -= 1;
    done += 1;
    limits.leave(provider);
  };
  const all = workers(4, { places: 6 });
  // As every worker does: what is not needed is given back.
  const renewing = setInterval(() => {
    for (const limits of all) void limits.renewAll();
  }, 100);
  onTestFinished(() => clearInterval(renewing));
  await Promise.all(all.flatMap((limits) => Array.from({ length: 10 }, () => call(limits))));
  expect(done).toBe(40);
  expect(most).toBeLessThanOrEqual(6);
});

test("no second has more slots than the rate of four workers together, however slow the database answers", async () => {
  const provider = `rate-${randomUUID()}`;
  const times: number[] = [];
  const call = async (limits: SharedLimits): Promise<void> => {
    times.push((await limits.slot(provider, never)) ?? 0);
  };
  const all = workers(4, { places: 100, perSecond: 50 });
  await Promise.all(all.flatMap((limits) => Array.from({ length: 25 }, () => call(limits))));
  expect(times).toHaveLength(100);
  for (const from of times) {
    expect(times.filter((at) => at >= from && at < from + 1_000).length).toBeLessThanOrEqual(51);
  }
});

test("what one worker is refused slows the others, and no worker asks before the time that the provider gave", async () => {
  const provider = `refused-${randomUUID()}`;
  const slowed: number[] = [];
  const [one, other] = workers(2, { places: 10 }, (by) => slowed.push(by));
  await one?.enter(provider, never);
  await other?.enter(provider, never);
  one?.overloaded(provider, 700);
  const began = performance.now();
  while (!slowed.includes(1)) {
    await other?.renewAll();
    await pause(20);
  }
  await other?.enter(provider, never);
  expect(performance.now() - began).toBeGreaterThanOrEqual(600);
});
