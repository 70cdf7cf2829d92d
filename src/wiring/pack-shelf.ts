import type { PackRun } from "../contract/http/packs.ts";
import type { RunSource } from "../orchestration/runs/list-runs.ts";
import type { PackShelf } from "../orchestration/scenarios/pack-shelf.ts";
import { runFoldersOf } from "./pack-parts.ts";
import { loadScenarioSettings } from "./scenario-settings.ts";

const kinds = ["pack", "pack-loop", "scenario"];
const most = 200;

/** The runs of a project's packs; settings are read each time, as a command would. */
export function packShelfOf(root: string, { store }: RunSource): () => PackShelf {
  const known = new Map<string, PackRun>();
  const folders = runFoldersOf(root);
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
  return () => ({
    folders,
    known,
    storedFolders,
    outputFolder: loadScenarioSettings(root).output_dir,
  });
}

function isInside(folder: string): boolean {
  return !folder.startsWith("/") && !folder.split("/").includes("..");
}
