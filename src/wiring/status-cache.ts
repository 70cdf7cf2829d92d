import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StatusCache } from "../orchestration/gates/notes-status.ts";
import type { NotesStatus } from "../orchestration/gates/status-report.ts";

/** Longer lists are made anew: reading them back would cost as much. */
const mostPairs = 20_000;

/** One file beside the store; without a store there is nothing worth keeping. */
export function createStatusCache(root: string): StatusCache {
  const path = join(root, ".signoff", "cache", "notes-status.json");
  return {
    load(key) {
      try {
        const kept = JSON.parse(readFileSync(path, "utf8")) as {
          readonly key: string;
          readonly status: NotesStatus;
        };
        return kept.key === key ? kept.status : undefined;
      } catch {
        return undefined;
      }
    },
    save(key, status) {
      if (status.stale.length > mostPairs || !existsSync(join(root, ".signoff"))) return;
      try {
        mkdirSync(dirname(path), { recursive: true });
        const temporary = `${path}.${process.pid}`;
        writeFileSync(temporary, JSON.stringify({ key, status }));
        renameSync(temporary, path);
      } catch {
        // A summary that cannot be kept is made anew the next time.
      }
    },
  };
}
