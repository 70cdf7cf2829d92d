import { createMatcher, isUsablePattern } from "../../adapters/assistant/pattern-matcher.ts";
import type { JudgingRules } from "../../domain/scenarios/play-step.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import {
  type ExaminedRun,
  type ExamineRun,
  examineRun,
} from "../../orchestration/scenarios/examine-run.ts";
import type { RunStore } from "../../ports/run-store.ts";
import { readStore } from "../project/project-store.ts";
import { runFoldersOf } from "../project/run-folders.ts";
import { sha256 } from "../project/sha256.ts";
import type { StorePlace } from "../project/store-place.ts";
import { checkRulesOf } from "../settings/scenario-settings.ts";
import { defaultSettings } from "../settings/settings.ts";

/** How this project judges answers, live and again later. */
export function judgingRulesOf(settings: Settings): JudgingRules {
  return {
    rules: checkRulesOf(settings),
    matches: createMatcher(),
    isUsable: isUsablePattern,
  };
}

/** Derives what pack runs in folders of this project prove, from a store that is open. */
export function runExaminerOf(
  root: string,
  store: RunStore,
  settings: Settings = defaultSettings(),
): ExamineRun {
  const folders = runFoldersOf(root);
  const parts = { store, folders, digest: sha256 };
  return (folder) => examineRun({ ...parts, judging: judgingRulesOf(settings) }, folder);
}

/** The same for a command that opens no project. Without a store, no run is known. */
export function examineRunFolder(
  place: StorePlace,
  settings: Settings,
  folder: string,
): Promise<ExaminedRun> {
  return readStore(place, (store) =>
    runExaminerOf(place.root, store?.runs ?? noRuns, settings)(folder),
  );
}

const noRuns = {
  load: async () => undefined,
  listChildren: async () => [],
} as unknown as RunStore;
