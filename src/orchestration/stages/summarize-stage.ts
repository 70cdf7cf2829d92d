import { readStageArtifact } from "../../contract/stages/write-stage-artifact.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { evidenceNames, handOffFiles, ingestedEntry } from "./ingest-run.ts";
import { recordStage } from "./record-stage.ts";
import {
  evidenceIn,
  type NewEntry,
  type Stage,
  type StageParts,
  type StageState,
} from "./stage.ts";

/** Rebuilds the summary and the hand-offs from the files. Makes no calls. */
export function rebuildStage(parts: StageParts, stage: Stage): Promise<StageState> {
  return recordStage(parts, stage, async (before) => {
    const isLost = before.entries.length === before.unrecorded;
    const entries = isLost ? await entriesOnDisk(parts, stage) : [];
    const last = [...before.entries, ...entries].findLast(
      ({ event }) => event.kind === "run-ingested",
    );
    const [file = ""] = Object.keys(last?.evidence ?? {});
    const place = file.split("/").slice(0, 2).join("/");
    const review =
      place && (await findArtifact(parts.folders, `${stage.folder}/${place}`, "run_review.json"));
    return { entries, files: review ? handOffFiles(stage, before, { ...review, place }) : [] };
  });
}

/**
 * The events found on disk. Their order was only in the lost file, so repairs go last: each patch counts as unproven
 * until it is validated again.
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
  parts: StageParts,
  stage: Stage,
  place: string,
): Promise<readonly NewEntry[]> {
  const files = evidenceNames.map((name) => `${place}/${name}`);
  const evidence = await evidenceIn(parts, stage, files);
  const review = await findArtifact(parts.folders, `${stage.folder}/${place}`, "run_review.json");
  const isComplete = files.every((file) => file in evidence);
  return review === undefined || !isComplete ? [] : [ingestedEntry(review, evidence)];
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
