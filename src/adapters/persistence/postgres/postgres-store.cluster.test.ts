import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, inject, it, onTestFinished } from "vitest";
import { createDatabase } from "../../../../tests/support/postgres.ts";
import { reviewConformance } from "../../../testing/review-conformance.ts";
import { runStoreConformance } from "../../../testing/run-store-conformance.ts";
import { storeConformance } from "../../../testing/store-conformance.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgres, withClient } from "./open-postgres.ts";
import type { PostgresStore } from "./postgres-store.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase(inject("postgres"));
});
afterAll(() => database.drop());

/** A schema of its own for each test. */
async function open(): Promise<PostgresStore> {
  const location = { url: database.url, schema: `signoff_${randomUUID()}` };
  await withClient(location, (client) => migratePostgres(client, location.schema));
  const store = await openPostgres({ ...location, connections: 4 });
  onTestFinished(() => store.close());
  return store;
}

describe("a run store in PostgreSQL", () => {
  for (const { title, run } of runStoreConformance) {
    it(title, async () => run((await open()).runs));
  }
});

describe("a store in PostgreSQL", () => {
  for (const { title, run } of storeConformance) {
    it(title, async () => run(await open()));
  }
});

describe("reviews in PostgreSQL", () => {
  for (const { title, run } of reviewConformance) {
    it(title, async () => run(await open()));
  }
});
