import { randomUUID } from "node:crypto";
import { relative, resolve } from "node:path";
import { createRunFolders } from "../../adapters/workspace/run-folders.ts";
import { DEFAULT_QUESTION_THRESHOLDS } from "../../domain/scenarios/question-quality.ts";
import { type Guard, refuseAll } from "../../domain/settings/acts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { QuestionSettings } from "../../orchestration/scenarios/check-questions.ts";
import type { PackParts } from "../../orchestration/scenarios/run-pack.ts";
import type { RunFolders } from "../../ports/run-folders.ts";
import type { Project } from "../project/project.ts";
import { runSourceOf } from "../project/run-source.ts";
import { sha256 } from "../project/sha256.ts";

/** What the commands of packs, scenarios and cases start runs with. */
export function packPartsOf(project: Project, settings: Settings): PackParts {
  return {
    engine: project.engine,
    clock: project.clock,
    folders: runFoldersOf(project.root, project.guard),
    load: (run) => project.store.runs.load(run),
    newId: randomUUID,
    isDead: runSourceOf(project.store, project.clock).isDead,
    digest: sha256,
    questions: questionSettingsOf(settings),
    fileHints: settings.stages.fileHints,
    userModel: settings.models.user.model,
    answer: async (id, answer) => {
      const open = await project.store.runs.findDecision(id);
      await project.store.runs.answer(id, answer, open?.version ?? 0);
    },
  };
}

/** The project's requirements for questions before they are asked. */
export function questionSettingsOf({ scenarios }: Settings): QuestionSettings {
  const { locale, questions } = scenarios;
  return { locale, thresholds: { ...DEFAULT_QUESTION_THRESHOLDS, ...questions } };
}

/** Folders for commands; only runs have crash points. */
export function runFoldersOf(root: string, guard: Guard = refuseAll): RunFolders {
  return createRunFolders(root, { reach: () => undefined }, guard);
}

/** The folder of a run as it is stored: relative to the project. */
export function folderInProject(root: string, cwd: string, folder: string): string {
  return relative(root, resolve(cwd, folder)) || ".";
}
