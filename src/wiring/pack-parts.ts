import { randomUUID } from "node:crypto";
import { relative, resolve } from "node:path";
import { createRunFolders } from "../adapters/workspace/run-folders.ts";
import type { ScenarioSettings } from "../contract/manifests/scenario-settings.ts";
import type { PackParts } from "../orchestration/scenarios/run-pack.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { Environment } from "./config.ts";
import { createCrashPoints } from "./crash-points.ts";
import type { Project } from "./project.ts";
import { sha256 } from "./sha256.ts";

/** What the commands of packs, scenarios and cases start runs with. */
export function packPartsOf(
  project: Project,
  settings: ScenarioSettings,
  environment: Environment,
): PackParts {
  return {
    engine: project.engine,
    clock: project.clock,
    folders: runFoldersOf(project.root, createCrashPoints(environment)),
    load: (run) => project.store.runs.load(run),
    newId: randomUUID,
    digest: sha256,
    questions: { locale: settings.locale },
    fileHints: settings.file_hints,
    answer: async (id, answer) => {
      const open = await project.store.runs.findDecision(id);
      await project.store.runs.answer(id, answer, open?.version ?? 0);
    },
  };
}

export function runFoldersOf(root: string, crash: CrashPoints) {
  return createRunFolders(root, crash);
}

/** The folder of a run as it is stored: relative to the project. */
export function folderInProject(root: string, cwd: string, folder: string): string {
  return relative(root, resolve(cwd, folder)) || ".";
}
