import { findOrphans } from "../../adapters/runners/command/coder-ledger.ts";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { StageCatalog } from "../../orchestration/stages/list-stages.ts";
import type { StageReading } from "../../orchestration/stages/stage.ts";
import { coderNotesOf, isAlive } from "../models/coders.ts";
import { sha256 } from "../project/sha256.ts";

/** Enough to read a stage; opens no store, so nothing can change. */
export function stageReadingOf(root: string): StageReading {
  return {
    folders: createRunFolders(root, { reach: () => undefined }),
    digest: sha256,
    isAlive,
    orphans: () => findOrphans(coderNotesOf(root)),
  };
}

/** Enough to read every stage of a project. */
export function stageCatalogOf(root: string, { scenarios }: Settings): StageCatalog {
  return { ...stageReadingOf(root), stagesFolder: `${scenarios.outputDir}/${stagesName}` };
}

/** All stages of a project are in one folder. */
export const stagesName = "stage_agent_loops";
