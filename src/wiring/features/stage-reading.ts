import { resolve } from "node:path";
import { findOrphans } from "../../adapters/runners/command/coder-ledger.ts";
import { readStageFacts } from "../../contract/stages/stage-record.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { knownAddress } from "../../orchestration/stages/known-address.ts";
import type { StageCatalog } from "../../orchestration/stages/list-stages.ts";
import { loadReplays } from "../../orchestration/stages/load-replays.ts";
import { type Stage, type StageReading, termsOf } from "../../orchestration/stages/stage.ts";
import type { ProjectStore } from "../../ports/store.ts";
import { coderNotesOf, isAlive } from "../models/coders.ts";
import { readStore } from "../project/project-store.ts";
import { runFoldersOf } from "../project/run-folders.ts";
import { sha256 } from "../project/sha256.ts";
import type { StorePlace } from "../project/store-place.ts";
import { judgingRulesOf } from "./examine-runs.ts";
import { openStage, stagesName } from "./open-stage.ts";

/** What a project's stages are read from. Without a store, nothing has happened yet. */
export interface StageSource {
  readonly root: string;
  readonly settings: Settings;
  readonly store?: ProjectStore | undefined;
}

/** Enough to read a stage; writes nothing. */
export function stageReadingOf({ root, settings, store }: StageSource): StageReading {
  const folders = runFoldersOf(root);
  const judging = judgingRulesOf(settings);
  const parts = { folders, digest: sha256 };
  return {
    ...parts,
    ...defined({ store }),
    replays: async (folder) =>
      store === undefined ? [] : loadReplays({ ...parts, store, judging }, folder),
    isAlive,
    orphans: () => findOrphans(coderNotesOf(root)),
  };
}

/** Enough to read every stage of a project. */
export function stageCatalogOf(source: StageSource): StageCatalog {
  const { root, settings } = source;
  return {
    ...stageReadingOf(source),
    stagesFolder: `${settings.scenarios.outputDir}/${stagesName}`,
    termsAt(manifestPath) {
      try {
        return termsOf(openStage(root, settings, { path: resolve(root, manifestPath) }));
      } catch {
        return undefined;
      }
    },
  };
}

/** Reads stages without creating anything. */
export function readStages<T>(
  place: StageSource & StorePlace,
  work: (catalog: StageCatalog) => Promise<T>,
): Promise<T> {
  return readStore(place, (store) => work(stageCatalogOf({ ...place, store })));
}

/** The stage of a manifest. Unless another address is given, its assistant is where it was for the last run. */
export async function openKnownStage(
  place: StageSource & StorePlace,
  about: Parameters<typeof openStage>[2],
): Promise<Stage> {
  const stage = openStage(place.root, place.settings, about);
  if (about.assistantUrl !== undefined) return stage;
  const { folder } = stage;
  const assistantUrl = await readStore(place, async (store) => {
    const row = await store?.read(({ stages }) => stages.load(folder));
    return store && row && (await knownAddress(store, folder, readStageFacts(row.facts)));
  });
  return { ...stage, ...defined({ assistantUrl }) };
}
