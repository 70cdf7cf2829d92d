import type { StageTerms } from "../../domain/stages/closing-gate.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { legacyNames } from "./foreign-findings.ts";
import { loadStage } from "./load-stage.ts";
import type { StageReading, StageState } from "./stage.ts";
import { type StageSummary, summarizeStage } from "./stage-files.ts";

/** Where the stages of a project are. */
export interface StageCatalog extends StageReading {
  /** `…/stage_agent_loops`, relative to the project. */
  readonly stagesFolder: string;
  /** What the manifest demands now; undefined where it cannot be read. */
  readonly termsAt: (manifestPath: string) => StageTerms | undefined;
}

export interface ListedStage {
  readonly folder: string;
  /** Computed from the present evidence. */
  readonly summary: StageSummary;
  readonly state: StageState;
  /** A coder is working on it. */
  readonly isAtWork: boolean;
}

export interface StageListing {
  /** By their ids. */
  readonly stages: readonly ListedStage[];
  /** Stages that cannot be read. */
  readonly damaged: readonly { readonly folder: string; readonly problem: string }[];
}

/** Every stage that the store knows or that left a summary, with its next action and closing gate. Reads only. */
export async function listStages(
  catalog: StageCatalog,
  isWanted: (stageId: string) => boolean = () => true,
): Promise<StageListing> {
  const stages: ListedStage[] = [];
  const damaged: { folder: string; problem: string }[] = [];
  for (const folder of await stageFolders(catalog)) {
    if (!isWanted(folder.slice(catalog.stagesFolder.length + 1))) continue;
    try {
      const listed = await lookAtStage(catalog, folder);
      if (listed !== undefined) stages.push(listed);
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      damaged.push({ folder, problem: error.message });
    }
  }
  return { stages, damaged };
}

export async function findStage(catalog: StageCatalog, stageId: string): Promise<ListedStage> {
  const folder = `${catalog.stagesFolder}/${stageId}`;
  const isThere = (await stageFolders(catalog)).includes(folder);
  const found = isThere ? await lookAtStage(catalog, folder) : undefined;
  if (found !== undefined) return found;
  throw new WorkflowError(`There is no stage ${stageId}.`, {
    code: "stage-unknown",
    facts: { stage_id: stageId },
  });
}

async function stageFolders(catalog: StageCatalog): Promise<readonly string[]> {
  const { store, stagesFolder, folders } = catalog;
  const known = (await store?.read(({ stages }) => stages.folders())) ?? [];
  const found = (await folders.names(stagesFolder)).map((name) => `${stagesFolder}/${name}`);
  return [
    ...new Set([...known.filter((one) => one.startsWith(`${stagesFolder}/`)), ...found]),
  ].sort();
}

async function lookAtStage(
  catalog: StageCatalog,
  folder: string,
): Promise<ListedStage | undefined> {
  const recorded = await loadStage(catalog, { folder });
  const names = recorded.facts ?? (await legacyNames(catalog, folder));
  if (names === undefined) return undefined;
  const { updatedAt: at, ...facts } = names;
  const terms = catalog.termsAt(names.manifestPath) ?? recorded.terms;
  const state = { ...recorded, terms };
  const summary = await summarizeStage(catalog, { stage: { ...facts, folder }, state, at });
  return { folder, summary, state, isAtWork: state.coderAtWork !== undefined };
}
