import { describe, it, onTestFinished } from "vitest";
import { emptySchema } from "../../../../tests/support/empty-schema.ts";
import { reviewConformance } from "../../../testing/review-conformance.ts";
import { runStoreConformance } from "../../../testing/run-store-conformance.ts";
import { storeConformance } from "../../../testing/store-conformance.ts";
import { openPostgres } from "./open-postgres.ts";
import type { PostgresStore } from "./postgres-store.ts";

const emptied = emptySchema();

async function open(): Promise<PostgresStore> {
  const store = await openPostgres({ ...(await emptied()), connections: 4 });
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
