import { readRunInput } from "../../contract/scenarios/run-inputs.ts";
import type { Standing } from "../../domain/evidence/standing.ts";
import { runStanding } from "../../domain/scenarios/run-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import type { ExaminedRun, ExamineRun } from "./examine-run.ts";
import { currentFolders, type PackLibrary } from "./pack-library.ts";

/** Every folder with a run of a pack or a loop, derived again. Runs of stages are part of their stage's evidence. */
export async function verifyPacks(
  library: PackLibrary,
  examine: ExamineRun,
  isWanted: (folder: string) => boolean,
): Promise<readonly Standing[]> {
  const standings: Standing[] = [];
  for (const folder of (await currentFolders(library)).filter(isWanted)) {
    const examined = await examine(folder);
    if (examined.kind === "none") continue;
    const run = examined.kind === "derived" ? examined.run : undefined;
    const claimsAccepted = examined.kind === "unknown" && examined.claimsAccepted;
    const command = nextCommand(folder, examined);
    standings.push(runStanding({ folder, claimsAccepted, ...defined({ run, command }) }));
  }
  return standings;
}

/**
 * The command that supplies what the run lacks: files are written again from the store; otherwise the same pack is played
 * again in the same folder, and the present run is archived beside it.
 */
export function nextCommand(folder: string, examined: ExaminedRun): string | undefined {
  if (examined.kind !== "derived") return undefined;
  const { changedFiles, recorded } = examined.stored.evidence;
  if (changedFiles.length > 0 && recorded !== undefined) return "signoff doctor --repair";
  const { loop, assistantUrl, record } = examined.stored;
  if (loop !== undefined) return readRunInput("pack-loop", loop.job.input).validationCommand;
  const { repeat, userModel } = readRunInput("pack", record.job.input);
  const words = ["--manifest", `${folder}/pack_manifest.json`, "--assistant-url", assistantUrl];
  const all = [
    ...[...words, "--output-dir", folder],
    ...(repeat > 1 ? ["--repeat", `${repeat}`] : []),
    ...(userModel === undefined ? [] : ["--user-model", userModel]),
  ];
  return `signoff pack run ${all.map(shellWord).join(" ")}`;
}
