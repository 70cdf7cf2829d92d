import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, openStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { isInside, realTarget } from "../../adapters/workspace/confined-path.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { CrashPoints } from "../../ports/crash-points.ts";
import type { ProjectStore } from "../../ports/store.ts";
import type { StorePlace } from "./store-place.ts";

/** The record of a project for reading commands, which need no engine; undefined where there is none yet. */
export async function openProjectForReading(place: StorePlace): Promise<ProjectStore | undefined> {
  const { root, environment } = place;
  if (place.store !== undefined) return lent(place.store);
  if (environment.databaseUrl !== undefined) return await openShared(place);
  requireOwnFolder(root);
  return openStore({ path: storePath(root), mode: "read" });
}

/** A store of the caller's own: closing it is the caller's business. */
function lent(store: ProjectStore): ProjectStore {
  return {
    runs: store.runs,
    transaction: (work) => store.transaction(work),
    read: (work) => store.read(work),
    damage: () => store.damage(),
    close: () => undefined,
  };
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
