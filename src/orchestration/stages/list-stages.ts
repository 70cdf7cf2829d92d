import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { loadStage, readSummary } from "./load-stage.ts";
import type { StageReading } from "./stage.ts";
import { type StageSummary, summarizeStage } from "./stage-files.ts";

/** Where the stages of a project are. */
export interface StageCatalog extends StageReading {
  /** `…/stage_agent_loops`, relative to the project. */
  readonly stagesFolder: string;
}

export interface ListedStage {
  readonly folder: string;
  /** Computed from the present files, not the summary as last written. */
  readonly summary: StageSummary;
  /** A coder is working on it. */
  readonly isAtWork: boolean;
}

export interface StageListing {
  /** By their ids. */
  readonly stages: readonly ListedStage[];
  /** Stages whose file cannot be read. */
  readonly damaged: readonly { readonly folder: string; readonly problem: string }[];
}

/** Every stage that left a summary, each with its next action and closing gate. Reads only. */
export async function listStages(catalog: StageCatalog): Promise<StageListing> {
  const stages: ListedStage[] = [];
  const damaged: { folder: string; problem: string }[] = [];
  for (const name of await catalog.folders.names(catalog.stagesFolder)) {
    const folder = `${catalog.stagesFolder}/${name}`;
    try {
      const listed = await lookAtStage(catalog, name);
      if (listed !== undefined) stages.push(listed);
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      damaged.push({ folder, problem: error.message });
    }
  }
  return { stages, damaged };
}

export async function findStage(catalog: StageCatalog, stageId: string): Promise<ListedStage> {
  const isThere = (await catalog.folders.names(catalog.stagesFolder)).includes(stageId);
  const found = isThere ? await lookAtStage(catalog, stageId) : undefined;
  if (found !== undefined) return found;
  throw new WorkflowError(`There is no stage ${stageId}.`, {
    code: "stage-unknown",
    facts: { stage_id: stageId },
  });
}

/** One stage by its folder's name; undefined where there is no summary. */
async function lookAtStage(catalog: StageCatalog, name: string): Promise<ListedStage | undefined> {
  const folder = `${catalog.stagesFolder}/${name}`;
  const recorded = await readSummary(catalog, folder);
  if (recorded === undefined) return undefined;
  const { updatedAt: at, manifest: manifestPath = "", ...names } = recorded;
  const state = await loadStage(catalog, { folder });
  const stage = { ...names, manifestPath, folder };
  const summary = await summarizeStage(catalog, { stage, state, at });
  return { folder, summary, isAtWork: state.coderAtWork !== undefined };
}
