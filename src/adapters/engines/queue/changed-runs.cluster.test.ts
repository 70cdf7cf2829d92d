import { expect, it, onTestFinished } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { runId } from "../../../domain/values/ids.ts";
import { instantFromMillis } from "../../../domain/values/instant.ts";
import { sloganRun, takeLease } from "../../../testing/run-store-stories.ts";
import { openPostgres } from "../../persistence/postgres/open-postgres.ts";
import { changedRunsOf } from "./file-projection.ts";
import { migrateQueue } from "./migrate-queue.ts";
import { openClusterPool } from "./open-pool.ts";

const emptied = emptySchema();
const hour = 3_600_000;

it("changes are found in the order of the database's time, whatever the clocks of workers say", async () => {
  const location = await emptied();
  await migrateQueue(location.url, location.schema);
  const store = await openPostgres({ ...location, connections: 2 });
  const { pool } = await openClusterPool(location.url, 1);
  onTestFinished(async () => {
    await store.close();
    await pool.end();
  });
  const changed = async () => {
    const first = { changedAt: instantFromMillis(0), run: runId("a") };
    return await changedRunsOf(pool, location.schema)(first, { kinds: ["draft"], limit: 9 });
  };
  for (const [name, ahead] of [
    ["early", hour],
    ["middle", 0],
    ["late", -hour],
  ] as const) {
    const createdAt = instantFromMillis(Date.now() + ahead);
    const { run } = await store.runs.create({ ...sloganRun(name, { createdAt }), task: "execute" });
    const lease = await takeLease(store.runs, run, 1);
    expect((await changed()).at(-1)).toMatchObject({ run, atRest: false });
    await store.runs.end(lease, { kind: "finished", result: null }, [], createdAt);
  }
  await store.runs.create({ ...sloganRun("never begun"), task: "execute" });
  const found = await changed();
  expect(found.map(({ run, atRest }) => `${run} ${atRest}`)).toEqual([
    "early true",
    "middle true",
    "late true",
  ]);
});
