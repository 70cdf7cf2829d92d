import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StatusCache } from "../../orchestration/gates/notes-status.ts";
import type { NotesStatus } from "../../orchestration/gates/status-report.ts";

/** Longer lists are made anew: reading them back would cost as much. */
const mostPairs = 20_000;

/** One file beside the store; without a store there is nothing worth keeping. */
export function createStatusCache(root: string): StatusCache {
  return {
    load(key) {
      const kept = read(root, "notes-status.json") as
        | { readonly key: string; readonly status: NotesStatus }
        | undefined;
      return kept?.key === key ? kept.status : undefined;
    },
    save(key, status) {
      if (status.stale.length <= mostPairs) keep(root, "notes-status.json", { key, status });
    },
  };
}

/** The folders that were listed last. */
export function lastFolders(root: string): readonly string[] | undefined {
  const kept = read(root, "notes-folders.json");
  return Array.isArray(kept) && kept.every((folder) => typeof folder === "string")
    ? kept
    : undefined;
}

export function keepFolders(root: string, folders: readonly string[]): void {
  if (lastFolders(root)?.join("\0") !== folders.join("\0"))
    keep(root, "notes-folders.json", folders);
}

function read(root: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(root, ".signoff", "cache", name), "utf8"));
  } catch {
    return undefined;
  }
}

function keep(root: string, name: string, value: unknown): void {
  if (!existsSync(join(root, ".signoff"))) return;
  const path = join(root, ".signoff", "cache", name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(value));
    renameSync(temporary, path);
  } catch {
    // What cannot be kept is found out anew the next time.
  }
}
