import { compareRuns, type RunComparison } from "../../domain/scenarios/divergence.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import type { PackRecord } from "../../domain/scenarios/run-record.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { findArtifact } from "./artifact-files.ts";
import { requireSameAssistant } from "./same-assistant.ts";

/** How two finished runs differ, read from their files. */
export async function comparePackRuns(
  folders: RunFolders,
  [before, after]: readonly [string, string],
  vouched?: { readonly reason: string },
): Promise<RunComparison> {
  const [left, right] = [
    await readPackRecord(folders, before),
    await readPackRecord(folders, after),
  ];
  const asked = await findArtifact(folders, before, "pack_state.json");
  const askedNow = await findArtifact(folders, after, "pack_state.json");
  const assistantChanged =
    askedNow?.assistant && requireSameAssistant(asked?.assistant, askedNow.assistant, vouched);
  return { ...compareRuns(left, right), ...defined({ assistantChanged }) };
}

/** A judged run of a pack or of a single scenario. */
export async function readPackRecord(folders: RunFolders, folder: string): Promise<PackRecord> {
  const readScenario = async (home: string) => {
    const found = await findArtifact(folders, `${folder}${home}`, "scenario_state.json");
    if (found !== undefined) return found;
    throw new ConfigurationError(`${folder} holds no finished run.`, {
      code: "run-not-found",
      facts: { folder, name: `${home}/scenario_state.json`.slice(1) },
      hint: "Give the folder of a finished pack or scenario run.",
    });
  };
  const pack = await findArtifact(folders, folder, "pack_state.json");
  if (pack === undefined) {
    const scenario = await readScenario("");
    return { packId: scenario.scenarioId, title: scenario.title, scenarios: [scenario] };
  }
  const records = [];
  for (const { scenarioId } of pack.scenarios) {
    const home = `/scenarios/${scenarioId}`;
    const first = await readScenario(home);
    const more = [];
    for (const number of await folders.names(`${folder}${home}/repeats`)) {
      more.push(await readScenario(`${home}/repeats/${number}`));
    }
    records.push(foldRepeats([first, ...more]));
  }
  return { packId: pack.packId, title: pack.title, scenarios: records };
}
