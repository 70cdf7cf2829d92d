import { test } from "vitest";
import { emptySchema } from "../../../tests/support/empty-schema.ts";
import { expectAnyOrderToBeSafe } from "../../../tests/support/interleaved-story.ts";
import { openPostgres } from "../persistence/postgres/open-postgres.ts";

const emptied = emptySchema();

/** Connections of each process. */
const connections = 2;

test("whatever several processes do on PostgreSQL in whatever order, nothing is paid twice, lost, stuck or refused without reason", async () => {
  await expectAnyOrderToBeSafe(12, async () => {
    const location = { ...(await emptied()), connections };
    const ready = await Promise.all(Array.from({ length: 5 }, () => openPostgres(location)));
    return () => {
      const store = ready.pop();
      if (store === undefined) throw new Error("a process more than there are stores");
      return store;
    };
  });
});
