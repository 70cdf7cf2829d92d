import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { openStore } from "../../src/adapters/persistence/sqlite/open-store.ts";
import { type Key, runId } from "../../src/domain/values/ids.ts";

/** One physical call, and whether its reply or failure is in the journal. */
export interface LedgerEntry {
  readonly key: string;
  readonly attempt: number;
  readonly state: string;
  readonly isRecorded: boolean;
}

/** What the store of a project knows about the calls of a run, in the order of their keys. */
export async function ledgerOf(folder: string, run: string): Promise<readonly LedgerEntry[]> {
  const store = openStore({ path: join(folder, ".signoff", "signoff.db"), mode: "read" });
  if (store === undefined) return [];
  try {
    const lines = await store.read(({ ledger }) => ledger.lines(runId(run), { limit: 1_000 }));
    const entries: LedgerEntry[] = [];
    for (const { key, attempt, state } of lines) {
      const record = await store.runs.find(runId(run), key as Key);
      entries.push({ key, attempt, state, isRecorded: record !== undefined });
    }
    return entries;
  } finally {
    store.close();
  }
}

/** Every file under a folder with its content, including hidden and temporary files. */
export async function treeOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [relative(folder, path), (await readFile(path)).toString("latin1")] as const;
  });
  return Object.fromEntries((await Promise.all(read)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
