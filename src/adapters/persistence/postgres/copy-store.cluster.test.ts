import { randomUUID } from "node:crypto";
import { expect, inject, it, onTestFinished } from "vitest";
import { createDatabase } from "../../../../tests/support/postgres.ts";
import {
  attemptEnd,
  begin,
  creatorFacts,
  happened,
  heldRun,
  holder,
  minute,
  recorded,
  sloganRun,
} from "../../../testing/run-store-stories.ts";
import { Connection } from "../sqlite/connection.ts";
import { migrate } from "../sqlite/migrations.ts";
import { runUnit } from "../sqlite/run-unit.ts";
import { type CopyEnd, copiedTables, copyStore } from "../statements/copy-store.ts";
import { migrations } from "../statements/migrations/migrations.ts";
import { raiseEpochs } from "../statements/raise-epochs.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres, withClient } from "./open-postgres.ts";

async function shared() {
  const database = await createDatabase(inject("postgres"));
  const location = { url: database.url, schema: `signoff_${randomUUID()}` };
  await withClient(location, (client) => migratePostgres(client, location.schema));
  const store = await openPostgres({ ...location, connections: 4 });
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

/** A SQLite file in memory as one end of a copy. */
function fileEnd(): CopyEnd & { readonly connection: Connection } {
  const connection = new Connection({ path: ":memory:" });
  migrate(connection, migrations);
  return {
    connection,
    snapshot: (work) => work(async (unit) => runUnit(connection, unit)),
    write: async (unit) => runUnit(connection, unit()),
  };
}

/** A child whose name sorts before its parent's, a long text, a reply with NUL, an act. */
async function fill(store: Awaited<ReturnType<typeof shared>>): Promise<void> {
  const pack = await heldRun(store.runs, "pack");
  const child = await heldRun(store.runs, "a scenario", { parent: pack.run });
  await begin(store.runs, child, {});
  const facts = { ...creatorFacts, user: "long ".repeat(20_000) };
  const call = { facts, end: attemptEnd(1) };
  await store.runs.record(child, recorded("with \0 in it"), [happened(child, 1)], call);
  await store.transaction(({ rulings }) =>
    rulings.append({ run: pack.run, act: "approve", by: "Ada", knownHow: "flag", at: minute(3) }),
  );
}

it("a record is the same after it was copied to a file and back, also when stopped on the way", async () => {
  const [first, second, file] = [await shared(), await shared(), fileEnd()];
  await fill(first);
  const there = await copyStore(first.copyEnd(), file);
  expect(there.every(({ isEqual }) => isEqual)).toBe(true);
  let writes = 0;
  const target = second.copyEnd();
  const breaking: CopyEnd = {
    ...target,
    write: (unit) => {
      writes += 1;
      return writes > 4 ? Promise.reject(new Error("unplugged")) : target.write(unit);
    },
  };
  await expect(copyStore(file, breaking)).rejects.toThrow("unplugged");
  const again = await copyStore(file, target);
  expect(again.filter(({ isEqual }) => !isEqual)).toEqual([]);
  expect(again.map(({ rows }) => rows)).toEqual(there.map(({ rows }) => rows));
  const child = await second.runs.load(sloganRun("a scenario").run);
  expect(child).toEqual(await first.runs.load(sloganRun("a scenario").run));
  expect(await second.damage()).toEqual([]);
});

it("a copy into a store that holds something else is reported as different", async () => {
  const [store, file] = [await shared(), fileEnd()];
  await fill(store);
  file.connection.run("INSERT INTO stages (folder, data) VALUES ('other', '{}')");
  const copied = await copyStore(store.copyEnd(), file);
  expect(copied.filter(({ isEqual }) => !isEqual).map(({ table }) => table)).toEqual(["stages"]);
});

it("every table of the schema is copied", () => {
  const { connection } = fileEnd();
  const tables = connection.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'",
  );
  expect(tables.map(({ name }) => name).sort()).toEqual([...copiedTables].sort());
});

it("after a restore no holder from before it writes, and its run can be taken", async () => {
  const store = await shared();
  const lease = await heldRun(store.runs, "slogan");
  expect(await store.database.write("durable", raiseEpochs)).toBe(1);
  const late = store.runs.record(lease, recorded("late"), []);
  await expect(late).rejects.toMatchObject({ code: "lease-lost" });
  expect((await store.runs.load(lease.run))?.state).toBe("queued");
  const taken = await store.runs.acquire(lease.run, holder(2), () => false);
  expect(taken.kind).toBe("taken");
});
