import { readArtifact } from "../../contract/scenarios/write-artifact.ts";
import { compareRuns, type RunComparison } from "../../domain/scenarios/divergence.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";

/** Where two finished runs part, read from what they left on the disk. */
export async function comparePackRuns(
  folders: RunFolders,
  before: string,
  after: string,
): Promise<RunComparison> {
  return compareRuns(await readPackRecord(folders, before), await readPackRecord(folders, after));
}

/** A run as it was judged: of a pack, or of a single scenario. */
export async function readPackRecord(folders: RunFolders, folder: string): Promise<PackRecord> {
  const packText = await folders.read(folder, "pack_state.json");
  if (packText === undefined) {
    const scenario = await readScenario(folders, folder, "scenario_state.json");
    return { packId: scenario.scenarioId, title: scenario.title, scenarios: [scenario] };
  }
  const { packId, title, scenarios } = readArtifact("pack_state.json", packText);
  const records = [];
  for (const { scenarioId } of scenarios) {
    const home = `scenarios/${scenarioId}`;
    const first = await readScenario(folders, folder, `${home}/scenario_state.json`);
    const more = [];
    for (const number of await folders.names(`${folder}/${home}/repeats`)) {
      const name = `${home}/repeats/${number}/scenario_state.json`;
      more.push(await readScenario(folders, folder, name));
    }
    records.push(foldRepeats([first, ...more]));
  }
  return { packId, title, scenarios: records };
}

async function readScenario(folders: RunFolders, folder: string, name: string) {
  const text = await folders.read(folder, name);
  if (text !== undefined) return readArtifact("scenario_state.json", text);
  throw new ConfigurationError(`${folder} holds no finished run.`, {
    code: "run-not-found",
    facts: { folder, name },
    hint: "Give the folder of a finished pack or scenario run.",
  });
}
