import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../adapters/persistence/sqlite/open-store.ts";
import type { SqliteStore } from "../../adapters/persistence/sqlite/sqlite-store.ts";
import { isInside, realTarget } from "../../adapters/workspace/confined-path.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";

/** The store of a project for reading commands, which need no engine; undefined where there is none yet. */
export function openProjectForReading(root: string): SqliteStore | undefined {
  requireOwnFolder(root);
  return openStore({ path: storePath(root), mode: "read" });
}

/** A copied project must not have its record written elsewhere, nor read another's record as its own. */
export function requireOwnFolder(root: string): void {
  const folder = join(root, ".signoff");
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true && found?.isSymbolicLink() !== true) return;
  for (const path of [
    folder,
    ...["signoff.db", "runs", "locks", "coders", "prompts"].map((name) => join(folder, name)),
  ]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
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
