import { type ArtifactValue, readArtifact } from "../../contract/scenarios/write-artifact.ts";
import {
  readStageArtifact,
  type StageArtifactValue,
} from "../../contract/stages/write-stage-artifact.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { countOpen } from "../../domain/scenarios/repair-targets.ts";
import { believableHistory, type StageEntry } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { iterationFolder } from "../scenarios/loop-iteration.ts";
import type { NewEntry, Stage, StageReading, StageState } from "./stage.ts";

export const summaryName = "stage_loop_summary.json";

/**
 * Where the stage stands: its file, and what loops left on the disk before they could be recorded. Reads only, so
 * it is also all that `status` needs.
 */
export async function loadStage(
  parts: StageReading,
  stage: Pick<Stage, "folder">,
): Promise<StageState> {
  const summary = await readSummary(parts, stage.folder);
  const recorded = summary?.history ?? [];
  const found = await unrecordedLoops(parts, stage.folder, recorded);
  const entries = [
    ...recorded,
    ...found.map((entry, index) => ({
      ...entry,
      number: recorded.length + index + 1,
      at: summary?.updatedAt ?? "",
    })),
  ];
  const actual = await hashesOf(parts, stage.folder, entries);
  const { history, changedFiles } = believableHistory(entries, (file) => actual.get(file));
  const { openLoop, assistantUrl, savedPack } = summary ?? {};
  const last = entries.at(-1);
  const running = last?.event.kind === "repair-started" ? last.process : undefined;
  return {
    entries,
    unrecorded: found.length,
    history,
    changedFiles,
    ...defined({ openLoop, assistantUrl, savedPack }),
    ...(running !== undefined && parts.isAlive(running) ? { coderAtWork: running } : {}),
  };
}

export async function readSummary(
  { folders }: StageReading,
  folder: string,
): Promise<StageArtifactValue<"stage_loop_summary.json"> | undefined> {
  const text = await folders.read(folder, summaryName);
  if (text === undefined) return undefined;
  try {
    return readStageArtifact(summaryName, text);
  } catch (cause) {
    throw new ConfigurationError(`${folder}/${summaryName} cannot be read.`, {
      code: "stage-file-damaged",
      facts: { folder },
      hint: "Bring it back from version control, or move it away: `signoff stage summarize` then rebuilds what the disk can prove.",
      cause,
    });
  }
}

/** Iterations that ended on the disk while the process that should have recorded them died. */
async function unrecordedLoops(
  parts: StageReading,
  folder: string,
  recorded: readonly StageEntry[],
): Promise<readonly NewEntry[]> {
  const known = new Set(
    recorded.flatMap(({ event }) => (event.kind === "loop-finished" ? [event.loopId] : [])),
  );
  const found: NewEntry[] = [];
  for (const loop of await parts.folders.names(`${folder}/domain_loops`)) {
    const text = await parts.folders.read(`${folder}/domain_loops/${loop}`, "loop_state.json");
    if (text === undefined) continue;
    const state = readArtifact("loop_state.json", text);
    for (const iteration of state.iterations) {
      const loopId = `${loop}/${iterationFolder(iteration.iteration)}`;
      if (known.has(loopId)) continue;
      found.push(...(await entriesOf(parts, folder, { loopId, iteration })));
    }
  }
  return found;
}

/** One iteration; a coder that the loop itself ran after it is a repair like any other. */
async function entriesOf(
  parts: StageReading,
  folder: string,
  about: {
    readonly loopId: string;
    readonly iteration: ArtifactValue<"loop_state.json">["iterations"][number];
  },
): Promise<readonly NewEntry[]> {
  const { loopId, iteration } = about;
  const place = `domain_loops/${loopId}`;
  const files = ["run_manifest.json", "pack_state.json", "analyst_verdict.json"];
  const evidence: { [file: string]: string } = {};
  for (const name of files) {
    const text = await parts.folders.read(folder, `${place}/${name}`);
    if (text !== undefined) evidence[`${place}/${name}`] = parts.digest(text);
  }
  const text = await parts.folders.read(folder, `${place}/pack_state.json`);
  if (text === undefined) return [];
  const { specHash: packHash, repairTargets } = readArtifact("pack_state.json", text);
  const open = repairTargets.filter(blocksAcceptance);
  const { P0: openP0, P1: openP1 } = countOpen(repairTargets);
  const { status, accepted, requiresUserDecision, coderStatus } = iteration;
  const finished: NewEntry = {
    event: {
      kind: "loop-finished",
      loopId,
      packHash,
      status,
      accepted,
      requiresUserDecision,
      openP0,
      openP1,
    },
    evidence,
  };
  if (coderStatus === undefined) return [finished];
  const questions = [...new Set(open.map(({ question }) => question))];
  return [
    finished,
    { event: { kind: "repair-prepared", iterationId: loopId, packHash, questions }, evidence: {} },
    {
      event: { kind: "repair-executed", iterationId: loopId, dryRun: false, coderStatus },
      evidence: {},
    },
  ];
}

async function hashesOf(
  { folders, digest }: StageReading,
  folder: string,
  entries: readonly StageEntry[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const file of new Set(entries.flatMap(({ evidence }) => Object.keys(evidence)))) {
    const text = await folders.read(folder, file);
    if (text !== undefined) hashes.set(file, digest(text));
  }
  return hashes;
}
