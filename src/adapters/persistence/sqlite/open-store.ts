import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import { Connection } from "./connection.ts";
import { isOutdated, migrate, migrations } from "./migrations.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { storeError } from "./store-error.ts";

export interface StoreLocation {
  readonly path: string;
  /** How long a writer waits for another process. */
  readonly busyMillis?: number;
  readonly crash?: CrashPoints;
}

/**
 * `write` creates the folder and the file where they are missing. `read` creates nothing and answers
 * `undefined` when there is no store; all its writes are refused.
 */
export function openStore(location: StoreLocation & { readonly mode: "write" }): SqliteStore;
export function openStore(
  location: StoreLocation & { readonly mode: "read" },
): SqliteStore | undefined;
export function openStore(
  location: StoreLocation & { readonly mode: "read" | "write" },
): SqliteStore | undefined {
  return location.mode === "write" ? openForWriting(location) : openForReading(location);
}

/** A store that lives as long as the object: the real one, with one connection to memory. */
export function openMemoryStore(): SqliteStore {
  const connection = new Connection({ path: ":memory:" });
  migrate(connection, migrations);
  return new SqliteStore(connection);
}

function openForWriting({ path, busyMillis, crash }: StoreLocation): SqliteStore {
  makeFolder(path);
  const waits = busyMillis === undefined ? {} : { busyMillis };
  return new SqliteStore(upToDate({ path, ...waits }), crash);
}

/** A store of an older version is brought up to date even for reading: the queries need the new schema. */
function openForReading({ path, busyMillis }: StoreLocation): SqliteStore | undefined {
  if (!existsSync(path)) {
    return undefined;
  }
  const waits = busyMillis === undefined ? {} : { busyMillis };
  const reader = new Connection({ path, queryOnly: true, ...waits });
  try {
    if (isOutdated(reader, migrations)) {
      upToDate({ path, ...waits }).close();
    }
  } catch (error) {
    reader.close();
    throw error;
  }
  return new SqliteStore(reader);
}

function upToDate(location: StoreLocation): Connection {
  const connection = new Connection(location);
  try {
    migrate(connection, migrations);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** A folder made for the store is nothing to commit. */
function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    if (makeMissing(folder)) writeFileSync(join(folder, ".gitignore"), "*\n");
  } catch (error) {
    throw storeError(error, folder);
  }
}

/** Not by `recursive`: where a folder takes no others, as `/proc`, Node tries for ever. */
function makeMissing(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
