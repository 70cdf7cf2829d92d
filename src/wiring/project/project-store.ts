import { join } from "node:path";
import { openStore } from "../../adapters/persistence/sqlite/open-store.ts";
import type { SqliteStore } from "../../adapters/persistence/sqlite/sqlite-store.ts";

/** The store of a project for reading commands, which need no engine; undefined where there is none yet. */
export function openProjectForReading(root: string): SqliteStore | undefined {
  return openStore({ path: storePath(root), mode: "read" });
}

export function storePath(root: string): string {
  return join(root, ".signoff", "signoff.db");
}

/** Where `Exclusively` keeps its lock files. */
export function locksPath(root: string): string {
  return join(root, ".signoff", "locks");
}
