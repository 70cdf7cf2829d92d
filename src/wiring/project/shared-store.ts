import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { migratePostgres } from "../../adapters/persistence/postgres/migrate.ts";
import { openPostgres, withClient } from "../../adapters/persistence/postgres/open-postgres.ts";
import { openStore } from "../../adapters/persistence/sqlite/open-store.ts";
import {
  type CopiedTable,
  type CopyEnd,
  copyStore,
} from "../../adapters/persistence/statements/copy-store.ts";
import { raiseEpochs } from "../../adapters/persistence/statements/raise-epochs.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { databaseOf, ensureProjectId, schemaOf } from "./project-id.ts";
import type { StorePlace } from "./store-place.ts";

export interface Migrated {
  readonly project: string;
  readonly schema: string;
  /** Names of the migrations that were applied now. */
  readonly applied: readonly string[];
}

/** Prepares the database for the project, and gives the project a name if it has none. */
export async function migrateProject(
  place: StorePlace,
  how: { readonly grant?: string } = {},
): Promise<Migrated> {
  if (place.environment.databaseUrl === undefined) await databaseOf(place);
  const project = await ensureProjectId(place.root);
  const location = await databaseOf(place);
  const applied = await withClient(location, (client) =>
    migratePostgres(client, location.schema, how),
  );
  const { migrateQueue } = await import("../../adapters/engines/queue/migrate-queue.ts");
  await withClient(location, () => migrateQueue(location.url, location.schema, how.grant));
  return { project, schema: schemaOf(project), applied };
}

/** Raises every epoch after the database was restored to an earlier time. */
export async function recoverShared(place: StorePlace): Promise<{ readonly released: number }> {
  const store = await openPostgres(await databaseOf(place));
  try {
    return { released: await store.database.write("durable", raiseEpochs) };
  } finally {
    await store.close();
  }
}

/** The word for the database that `SIGNOFF_DATABASE_URL` names. */
const databaseWord = "database";

/** Copies a record from a file to the database or back. */
export async function copyProjectStore(
  place: StorePlace & { readonly cwd: string },
  ends: { readonly from: string; readonly to: string },
  progress: (table: string, rows: number) => void,
): Promise<readonly CopiedTable[]> {
  if (ends.from === ends.to) {
    throw new ConfigurationError("--from and --to name the same store.", {
      code: "copy-onto-itself",
    });
  }
  const from = await openEnd(place, ends.from, "read");
  try {
    const to = await openEnd(place, ends.to, "write");
    try {
      return await copyStore(from.end, to.end, progress);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function openEnd(
  place: StorePlace & { readonly cwd: string },
  name: string,
  mode: "read" | "write",
): Promise<{ readonly end: CopyEnd; close(): Promise<void> | void }> {
  if (name === databaseWord) {
    const store = await openPostgres(await databaseOf(place));
    return { end: store.copyEnd(), close: () => store.close() };
  }
  const path = resolve(place.cwd, name);
  if (mode === "read" && !existsSync(path)) {
    throw new ConfigurationError(`There is no store ${path}.`, {
      code: "store-missing",
      facts: { path },
      hint: `Name a file such as .signoff/signoff.db, or "${databaseWord}" for the one in SIGNOFF_DATABASE_URL.`,
    });
  }
  const store = openStore({ path, mode: "write" });
  return { end: store.copyEnd(), close: () => store.close() };
}
