import { readRunInput } from "../../contract/scenarios/run-inputs.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { runStanding } from "../../domain/scenarios/run-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { ExaminedRun, ExamineRun } from "./examine-run.ts";
import { currentFolders, type PackLibrary } from "./pack-library.ts";

/** Every folder with a run of a pack or a loop, derived anew. Runs of stages are part of their stage's evidence. */
export async function verifyPacks(
  library: PackLibrary,
  examine: ExamineRun,
): Promise<readonly Standing[]> {
  const standings: Standing[] = [];
  for (const folder of await currentFolders(library)) {
    const examined = await examine(folder);
    if (examined.kind === "none") continue;
    const run = examined.kind === "derived" ? examined.run : undefined;
    const claimsAccepted = examined.kind === "unknown" && examined.claimsAccepted;
    const command = commandOf(folder, examined);
    standings.push(runStanding({ folder, claimsAccepted, ...defined({ run, command }) }));
  }
  return standings;
}

/** Plays the same pack again in the same folder; the present run is archived beside it. */
function commandOf(folder: string, examined: ExaminedRun): string | undefined {
  if (examined.kind !== "derived") return undefined;
  const { loop, assistantUrl, record } = examined.stored;
  if (loop !== undefined) return readRunInput("pack-loop", loop.job.input).validationCommand;
  const isChanged = examined.stored.evidence.changedFiles.some(
    ({ name }) => name === "pack_manifest.json",
  );
  if (isChanged) return undefined;
  const { repeat } = readRunInput("pack", record.job.input);
  const words = ["--manifest", `${folder}/pack_manifest.json`, "--assistant-url", assistantUrl];
  const all = [...words, "--output-dir", folder, ...(repeat > 1 ? ["--repeat", `${repeat}`] : [])];
  return `signoff pack run ${all.map(shellWord).join(" ")}`;
}
