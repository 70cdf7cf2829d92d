import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { isInside, realTarget } from "../../adapters/workspace/confined-path.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { ProjectStore } from "../../ports/store.ts";
import type { StorePlace } from "./store-place.ts";

/** Reads the record of a project, which needs no engine; `work` gets undefined where there is none yet. */
export async function readStore<T>(
  place: StorePlace,
  work: (store: ProjectStore | undefined) => Promise<T>,
): Promise<T> {
  if (place.store !== undefined) return work(place.store);
  const store = await openForReading(place);
  try {
    return await work(store);
  } finally {
    await store?.close();
  }
}

async function openForReading(place: StorePlace): Promise<ProjectStore | undefined> {
  if (place.environment.databaseUrl !== undefined) return await openShared(place);
  requireOwnFolder(place.root);
  return openStore({ path: storePath(place.root), mode: "read" });
}

/** The record of a project; a file is made if it is missing, a database is not changed. */
export async function openProjectStore(
  place: StorePlace,
  crash: CrashPoints,
): Promise<ProjectStore> {
  requireOwnFolder(place.root);
  if (place.environment.databaseUrl !== undefined) {
    const store = await openShared(place, crash);
    makeFolder(storePath(place.root));
    return store;
  }
  return openStore({ path: storePath(place.root), mode: "write", crash });
}

/** Loads the driver only now: without a database nothing of it is loaded. */
async function openShared(place: StorePlace, crash?: CrashPoints): Promise<ProjectStore> {
  const { databaseOf } = await import("./project-id.ts");
  const { openPostgres } = await import("../../adapters/persistence/postgres/open-postgres.ts");
  return await openPostgres({ ...(await databaseOf(place)), ...defined({ crash }) });
}

/** A copied project must not have its record written elsewhere, nor read another's record as its own. */
export function requireOwnFolder(root: string): void {
  const folder = join(root, ".signoff");
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true && found?.isSymbolicLink() !== true) return;
  const within = found.isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  const links = within.filter((entry) => entry.isSymbolicLink());
  for (const path of [
    ...(found.isDirectory() ? [] : [folder]),
    ...links.map(({ name }) => join(folder, name)),
  ]) {
    const target = realTarget(path);
    if (target !== undefined && isInside(realTarget(root) ?? root, target)) continue;
    throw new WorkflowError(`${path} is a link that leads out of the project.`, {
      code: "store-outside",
      facts: { path },
      hint: "Put the folder itself there, or remove the link.",
    });
  }
}

export function existsStore(root: string): boolean {
  return existsSync(storePath(root));
}

export function storePath(root: string): string {
  return join(root, ".signoff", "signoff.db");
}

/** Where `Exclusively` keeps its lock files. */
export function locksPath(root: string): string {
  return join(root, ".signoff", "locks");
}
