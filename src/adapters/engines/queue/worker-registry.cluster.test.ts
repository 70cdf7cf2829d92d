import { expect, inject, it, onTestFinished } from "vitest";
import { createDatabase } from "../../../../tests/support/postgres.ts";
import { migrateQueue } from "./migrate-queue.ts";
import { openClusterPool } from "./open-pool.ts";
import { WorkerRegistry } from "./worker-registry.ts";

it("overlapping beats of one worker take its lock once, and neither waits for the other's", async () => {
  const database = await createDatabase(inject("postgres"));
  onTestFinished(() => database.drop());
  await migrateQueue(database.url);
  const { pool, connect } = await openClusterPool(database.url, 4);
  onTestFinished(() => pool.end());
  let connections = 0;
  const registry = new WorkerRegistry({
    pool,
    connect: () => {
      connections += 1;
      return connect();
    },
    self: {
      ...{ id: "6f1d3b7a-905f-4d3b-8a90-5f1d3b7a905f", name: "one", host: "here", pid: 1 },
      ...{ version: "1", tasks: [], concurrency: 1 },
    },
    ...{ now: () => 0, projects: async () => [], report: () => undefined },
  });
  onTestFinished(() => registry.leave());
  await Promise.all([registry.addPool("first"), registry.beat()]);
  expect([registry.isAlive, connections]).toEqual([true, 1]);
});
