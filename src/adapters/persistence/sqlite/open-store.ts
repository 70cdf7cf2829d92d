import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { defined } from "../../../domain/values/defined.ts";
import { WorkflowError } from "../../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../../ports/crash-points.ts";
import { migrations } from "../statements/migrations/migrations.ts";
import { Connection, type ConnectionSettings } from "./connection.ts";
import { isOutdated, migrate } from "./migrations.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { storeError } from "./store-error.ts";

export interface StoreLocation {
  readonly path: string;
  /** How long a writer waits for another process. */
  readonly busyMillis?: number;
  readonly crash?: CrashPoints;
}

/**
 * `write` creates the folder and the file if they are missing. `read` creates nothing, returns `undefined` if there
 * is no store, and refuses all writes.
 */
export function openStore(location: StoreLocation & { readonly mode: "write" }): SqliteStore;
export function openStore(
  location: StoreLocation & { readonly mode: "read" },
): SqliteStore | undefined;
export function openStore({
  path,
  busyMillis,
  crash,
  mode,
}: StoreLocation & { readonly mode: "read" | "write" }): SqliteStore | undefined {
  const location = { path, ...defined({ busyMillis }) };
  if (mode === "read") return openForReading(location);
  if (existsSync(path)) refuseEmptied(location);
  makeFolder(path);
  makePrivate(path);
  return new SqliteStore(upToDate(location), crash);
}

/** The same store, in memory, for as long as the object lives. */
export function openMemoryStore(): SqliteStore {
  const connection = new Connection({ path: ":memory:" });
  migrate(connection, migrations);
  return new SqliteStore(connection);
}

/** A store of an older version is migrated even for reading: the queries need the new schema. */
function openForReading(location: ConnectionSettings): SqliteStore | undefined {
  if (!existsSync(location.path)) return undefined;
  refuseEmptied(location);
  const reader = new Connection({ ...location, queryOnly: true });
  try {
    if (isOutdated(reader, migrations)) {
      upToDate(location).close();
    }
  } catch (error) {
    reader.close();
    throw error;
  }
  return new SqliteStore(reader);
}

function upToDate(location: ConnectionSettings): Connection {
  const connection = new Connection(location);
  try {
    migrate(connection, migrations);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** SQLite takes an empty file for a new database; one beside records of runs has lost what it held. */
function refuseEmptied({ path }: ConnectionSettings): void {
  const folder = dirname(path);
  if (statSync(path).size > 0 || !hasRecords(join(folder, "runs"))) return;
  throw new WorkflowError(`the store is empty, though there are records of runs: ${path}`, {
    code: "store-emptied",
    facts: { path },
    hint: "Restore a backup with `signoff store restore`, or remove the empty file to start over.",
  });
}

function hasRecords(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** A folder created for the store is not to be committed to git. */
export function makeFolder(path: string): void {
  const folder = dirname(path);
  try {
    if (makeMissing(folder)) writeFileSync(join(folder, ".gitignore"), "*\n");
  } catch (error) {
    throw storeError(error, folder);
  }
}

/** Replies and prompts are private; SQLite gives its other files the mode of this one. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    for (const [place, mode] of [
      [dirname(path), 0o700],
      [path, 0o600],
    ] as const) {
      const isOwn = basename(dirname(path)) === ".signoff";
      if (isOwn && (statSync(place).mode & 0o077) !== 0) chmodSync(place, mode);
    }
  } catch (error) {
    // A store that may be written but not changed in mode has an owner who decided so.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw storeError(error, path);
  }
}

/** Without `recursive`: in a folder that takes no others, such as `/proc`, Node would retry forever. */
function makeMissing(folder: string): boolean {
  if (existsSync(folder)) return false;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder, basename(folder) === ".signoff" ? 0o700 : 0o777);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
