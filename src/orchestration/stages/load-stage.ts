import type { ArtifactValue } from "../../contract/scenarios/write-artifact.ts";
import {
  readStageArtifact,
  type StageArtifactValue,
} from "../../contract/stages/write-stage-artifact.ts";
import { blocksAcceptance } from "../../domain/scenarios/finding.ts";
import { countOpen } from "../../domain/scenarios/repair-targets.ts";
import { believableHistory, type StageEntry } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { iterationFolder } from "../scenarios/loop-iteration.ts";
import {
  evidenceIn,
  type NewEntry,
  type Stage,
  type StageReading,
  type StageState,
} from "./stage.ts";

export const summaryName = "stage_loop_summary.json";

/**
 * The state of the stage: its file, and results of loops on disk that were never recorded. Reads only, so `status`
 * uses it too.
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
  const files = new Set(entries.flatMap(({ evidence }) => Object.keys(evidence)));
  const actual = await evidenceIn(parts, stage, files);
  const { history, changedFiles } = believableHistory(entries, (file) => actual[file]);
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

/** Iterations that ended on disk but were not recorded because their process died. */
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
    const place = `${folder}/domain_loops/${loop}`;
    const state = await findArtifact(parts.folders, place, "loop_state.json");
    for (const iteration of state?.iterations ?? []) {
      const loopId = `${loop}/${iterationFolder(iteration.iteration)}`;
      if (known.has(loopId)) continue;
      found.push(...(await entriesOf(parts, folder, { loopId, iteration })));
    }
  }
  return found;
}

/** One iteration. A coder that the loop ran after it counts as a repair like any other. */
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
  const names = ["run_manifest.json", "pack_state.json", "analyst_verdict.json"];
  const files = names.map((name) => `${place}/${name}`);
  const pack = await findArtifact(parts.folders, `${folder}/${place}`, "pack_state.json");
  if (pack === undefined) return [];
  const { specHash: packHash, repairTargets } = pack;
  const open = repairTargets.filter(blocksAcceptance);
  const { P0: openP0, P1: openP1 } = countOpen(repairTargets);
  const { status, accepted, requiresUserDecision, coderStatus } = iteration;
  const verdict = { status, accepted, requiresUserDecision, openP0, openP1 };
  const finished: NewEntry = {
    event: { kind: "loop-finished", loopId, packHash, ...verdict },
    evidence: await evidenceIn(parts, { folder }, files),
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
