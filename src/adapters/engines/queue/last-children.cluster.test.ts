import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { racesAt } from "../../../../tests/support/race.ts";
import { heldRun, minute, sloganRun, takeLease } from "../../../testing/run-store-stories.ts";
import { endRun } from "../../persistence/statements/leases.ts";
import { createRunStore } from "../../persistence/statements/run-store.ts";
import { migrateQueue } from "./migrate-queue.ts";
import { clusterSchema } from "./queue-schema.ts";

const emptied = emptySchema();
const race = racesAt(async () => {
  const location = await emptied();
  await migrateQueue(location.url, location.schema);
  return location;
});

race(
  "a parent is queued when its last two children end at the same time",
  async (meeting) => {
    const { watcher } = meeting;
    if (!meeting.hasLocks) await watcher.query(clusterSchema.replace("FOR NO KEY UPDATE", ""));
    const runs = createRunStore(meeting.units);
    const { run } = await runs.create({ ...sloganRun("book"), task: "execute-test" });
    const book = await takeLease(runs, run, 1);
    const [one, other] = [
      await heldRun(runs, "one", { parent: run }),
      await heldRun(runs, "other", { parent: run }),
    ];
    await runs.end(book, { kind: "waiting", decisions: [] }, [], minute(2));
    await watcher.query("DELETE FROM graphile_worker._private_jobs");
    const finished = { kind: "finished", result: null } as const;
    await meeting.meet(
      () => endRun(one, { ending: finished, at: minute(3) }),
      () => runs.end(other, finished, [], minute(3)),
    );
    const jobs = await watcher.query<{ key: string }>("SELECT key FROM graphile_worker.jobs");
    return jobs.rows.map(({ key }) => key);
  },
  { locked: ["signoff_test:book"], unlocked: [] },
);
