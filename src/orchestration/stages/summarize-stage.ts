import { readArtifact } from "../../contract/scenarios/write-artifact.ts";
import { readStageArtifact } from "../../contract/stages/write-stage-artifact.ts";
import { handOffFiles } from "./ingest-run.ts";
import { recordStage } from "./record-stage.ts";
import type { NewEntry, Stage, StageParts, StageState } from "./stage.ts";

/** Rebuilds the summary and the hand-offs from what is on the disk. Asks nobody. */
export function rebuildStage(parts: StageParts, stage: Stage): Promise<StageState> {
  return recordStage(parts, stage, async (before) => {
    const isLost = before.entries.length === before.unrecorded;
    const entries = isLost ? await entriesOnDisk(parts, stage) : [];
    const runs = [...before.entries, ...entries].filter(
      ({ event }) => event.kind === "run-ingested",
    );
    const [file = ""] = Object.keys(runs.at(-1)?.evidence ?? {});
    const place = file.split("/").slice(0, 2).join("/");
    const text =
      file === "" ? undefined : await parts.folders.read(stage.folder, `${place}/run_review.json`);
    const files =
      text === undefined
        ? []
        : handOffFiles(stage, before, { ...readArtifact("run_review.json", text), place });
    return { entries, files };
  });
}

/**
 * What happened, without its order, which only the lost file knew. Repairs go last, so that each patch counts as
 * unproven until it is validated again.
 */
async function entriesOnDisk(parts: StageParts, stage: Stage): Promise<readonly NewEntry[]> {
  const { folders } = parts;
  const found: NewEntry[] = [];
  for (const name of await folders.names(`${stage.folder}/gui_run_reviews`)) {
    found.push(...(await ingestedOnDisk(parts, stage, `gui_run_reviews/${name}`)));
  }
  for (const name of await folders.names(`${stage.folder}/repair_iterations`)) {
    found.push(...(await repairOnDisk(parts, stage, `repair_iterations/${name}`)));
  }
  return found;
}

async function ingestedOnDisk(
  { folders, digest }: StageParts,
  { folder }: Stage,
  place: string,
): Promise<readonly NewEntry[]> {
  const evidence: { [file: string]: string } = {};
  for (const name of ["run_review.json", "conversation_pairs.json", "repair_targets.json"]) {
    const text = await folders.read(folder, `${place}/${name}`);
    if (text === undefined) return [];
    evidence[`${place}/${name}`] = digest(text);
  }
  const text = await folders.read(folder, `${place}/run_review.json`);
  if (text === undefined) return [];
  const { runId, counts, pairs } = readArtifact("run_review.json", text);
  const questions = pairs.map(({ question }) => question);
  return [
    {
      event: { kind: "run-ingested", runId, openP0: counts.P0, openP1: counts.P1, questions },
      evidence,
    },
  ];
}

async function repairOnDisk(
  { folders }: StageParts,
  { folder }: Stage,
  place: string,
): Promise<readonly NewEntry[]> {
  const planText = await folders.read(folder, `${place}/repair_iteration_plan.json`);
  if (planText === undefined) return [];
  const plan = readStageArtifact("repair_iteration_plan.json", planText);
  const { iterationId, packHash, validationQuestions: questions } = plan;
  const prepared: NewEntry = {
    event: { kind: "repair-prepared", iterationId, packHash, questions },
    evidence: {},
  };
  const text = await folders.read(folder, `${place}/repair_execution_summary.json`);
  if (text === undefined) return [prepared];
  const { dryRun, coderStatus } = readStageArtifact("repair_execution_summary.json", text);
  const started: NewEntry = { event: { kind: "repair-started", iterationId }, evidence: {} };
  const executed: NewEntry = {
    event: { kind: "repair-executed", iterationId, dryRun, coderStatus },
    evidence: {},
  };
  return [prepared, ...(dryRun ? [] : [started]), executed];
}
