import type { Settings } from "../../domain/settings/settings.ts";
import type { RunSource } from "../../orchestration/runs/list-runs.ts";
import type { PackLibrary } from "../../orchestration/scenarios/pack-library.ts";
import { recordedPackState } from "../../orchestration/scenarios/run-evidence.ts";
import { runFoldersOf } from "../project/run-folders.ts";

const kinds = ["pack", "pack-loop", "scenario"];
const most = 200;

/** The runs of a project's packs, in any folder. */
export function packLibraryOf(
  root: string,
  { store }: RunSource,
  { scenarios }: Settings,
): PackLibrary {
  const storedFolders = async (): Promise<readonly string[]> => {
    const found = new Set<string>();
    for (const kind of kinds) {
      const runs = await store.read((repos) => repos.runs.list({ kind, limit: most }));
      for (const { run } of runs) {
        const record = await store.runs.load(run);
        // Children are found in the folder of their parent.
        if (record === undefined || record.parent !== undefined) continue;
        const { folder } = record.job.input as { readonly folder?: unknown };
        if (typeof folder === "string" && isInside(folder)) found.add(folder);
      }
    }
    return [...found];
  };
  return {
    folders: runFoldersOf(root),
    outputFolder: scenarios.outputDir,
    storedFolders,
    recordedState: (run) => recordedPackState(store.runs, run),
    known: new Map(),
  };
}

function isInside(folder: string): boolean {
  return !folder.startsWith("/") && !folder.split("/").includes("..");
}
