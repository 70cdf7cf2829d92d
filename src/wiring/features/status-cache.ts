import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StatusCache } from "../../orchestration/gates/notes-status.ts";
import type { NotesStatus } from "../../orchestration/gates/status-report.ts";

/** Longer lists are not cached: reading them back would take as long. */
const mostPairs = 20_000;
const cacheFile = join(".signoff", "cache", "notes-status.json");

/** One file beside the store; without a store nothing is cached. */
export function createStatusCache(root: string): StatusCache {
  return {
    load(key) {
      const kept = read(root) as { readonly key: string; readonly status: NotesStatus } | undefined;
      return kept?.key === key ? kept.status : undefined;
    },
    save(key, status) {
      if (status.stale.length <= mostPairs) keep(root, { key, status });
    },
  };
}

function read(root: string): unknown {
  try {
    return JSON.parse(readFileSync(join(root, cacheFile), "utf8"));
  } catch {
    return undefined;
  }
}

function keep(root: string, value: unknown): void {
  if (!existsSync(join(root, ".signoff"))) return;
  const path = join(root, cacheFile);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(value));
    renameSync(temporary, path);
  } catch {
    // The next command computes it again.
  }
}
