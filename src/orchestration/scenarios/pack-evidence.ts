import { readArtifact } from "../../contract/scenarios/artifacts.ts";
import type { RunEventData } from "../../contract/scenarios/run-events.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { scenarioFolder } from "./scenario-folder.ts";

export interface PackEvidence {
  /** Repeats folded, in the pack's order. */
  readonly scenarios: readonly ScenarioRecord[];
  /** Of every file read, by name. */
  readonly hashes: readonly (readonly [string, string])[];
}

/** The scenarios of a judged pack from their own files: its reviews speak of what its manifest vouches for. */
export async function readPackEvidence(
  folders: Pick<RunFolders, "read">,
  judged: Pick<RunEventData<"pack-judged">, "folder" | "state" | "repeat">,
  digest: (text: string) => string,
): Promise<PackEvidence> {
  const { folder, state, repeat } = judged;
  const hashes: [string, string][] = [];
  const read = async (name: string): Promise<string> => {
    const content = await readFile(folders, folder, name);
    hashes.push([name, digest(content)]);
    return content;
  };
  const stateOf = async (scenarioId: string, number: number) => {
    const name = `${scenarioFolder(scenarioId, number)}/scenario_state.json`;
    return readArtifact("scenario_state.json", await read(name));
  };
  await read("pack_manifest.json");
  const scenarios: ScenarioRecord[] = [];
  for (const { scenarioId } of state.scenarios) {
    const first = await stateOf(scenarioId, 1);
    const repeats = [];
    for (let number = 2; number <= repeat; number += 1) {
      repeats.push(await stateOf(scenarioId, number));
    }
    scenarios.push(foldRepeats([first, ...repeats]));
  }
  return { scenarios, hashes };
}

async function readFile(
  folders: Pick<RunFolders, "read">,
  folder: string,
  name: string,
): Promise<string> {
  const content = await folders.read(folder, name);
  if (content !== undefined) return content;
  throw new ConfigurationError(
    `${folder}/${name} is missing; the pack cannot be judged without it.`,
    {
      code: "evidence-missing",
      facts: { folder, name },
      hint: "Restore it, or start over with --new.",
    },
  );
}
