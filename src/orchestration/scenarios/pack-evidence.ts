import type { RunEventData } from "../../contract/scenarios/run-events.ts";
import { readArtifact } from "../../contract/scenarios/write-artifact.ts";
import { foldRepeats } from "../../domain/scenarios/repeats.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import { scenarioFolder } from "./scenario-folder.ts";

export interface PackEvidence {
  /** Repeats folded, in the pack's order. */
  readonly scenarios: readonly ScenarioRecord[];
  readonly evidence: readonly RecordFile[];
}

/** The scenarios of a judged pack from their own files: its reviews speak of what its manifest vouches for. */
export async function readPackEvidence(
  folders: Pick<RunFolders, "read">,
  judged: Pick<RunEventData<"pack-judged">, "folder" | "state" | "repeat">,
): Promise<PackEvidence> {
  const { folder, state, repeat } = judged;
  const scenarios: ScenarioRecord[] = [];
  const evidence = [await readFile(folders, folder, "pack_manifest.json")];
  for (const { scenarioId } of state.scenarios) {
    const first = await readState(folders, folder, scenarioFolder(scenarioId, 1));
    const repeats = [];
    for (let number = 2; number <= repeat; number += 1) {
      repeats.push(await readState(folders, folder, scenarioFolder(scenarioId, number)));
    }
    scenarios.push(foldRepeats([first.record, ...repeats.map(({ record }) => record)]));
    evidence.push(first.file, ...repeats.map(({ file }) => file));
  }
  return { scenarios, evidence };
}

async function readState(folders: Pick<RunFolders, "read">, folder: string, home: string) {
  const file = await readFile(folders, folder, `${home}/scenario_state.json`);
  return { file, record: readArtifact("scenario_state.json", file.content) };
}

async function readFile(
  folders: Pick<RunFolders, "read">,
  folder: string,
  name: string,
): Promise<RecordFile> {
  const content = await folders.read(folder, name);
  if (content !== undefined) return { name, content };
  throw new ConfigurationError(
    `${folder}/${name} is missing; the pack cannot be judged without it.`,
    {
      code: "evidence-missing",
      facts: { folder, name },
      hint: "Restore it, or start over with --new.",
    },
  );
}
