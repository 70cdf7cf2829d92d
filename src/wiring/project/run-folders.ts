import { relative, resolve } from "node:path";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { type Guard, refuseAll } from "../../domain/settings/acts.ts";
import { runId } from "../../domain/values/ids.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { readStore } from "./project-store.ts";
import type { StorePlace } from "./store-place.ts";

/** Folders for commands; only runs have crash points. */
export function runFoldersOf(root: string, guard: Guard = refuseAll): RunFolders {
  return createRunFolders(root, { reach: () => undefined }, guard);
}

/** The folder of a run as it is stored: relative to the project. */
export function folderInProject(root: string, cwd: string, folder: string): string {
  return relative(root, resolve(cwd, folder)) || ".";
}

/** The folder of a stored run, including one that was archived. */
export async function folderOfStoredRun(
  place: StorePlace,
  id: string,
): Promise<string | undefined> {
  const record = await readStore(place, async (store) => store?.runs.load(runId(id)));
  const { folder } = (record?.job.input ?? {}) as { readonly folder?: string };
  const aside = `${folder}.runs/${id}`;
  const isAside = folder && (await runFoldersOf(place.root).names(aside)).length > 0;
  return isAside ? aside : folder;
}
