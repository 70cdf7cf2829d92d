import { randomUUID } from "node:crypto";
import { ownLists } from "../../domain/scenarios/check-rules.ts";
import { DEFAULT_QUESTION_THRESHOLDS } from "../../domain/scenarios/question-quality.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { QuestionSettings } from "../../orchestration/scenarios/check-questions.ts";
import type { PackParts } from "../../orchestration/scenarios/run-pack.ts";
import type { Project } from "../project/project.ts";
import { runFoldersOf } from "../project/run-folders.ts";
import { runSourceOf } from "../project/run-source.ts";
import { sha256 } from "../project/sha256.ts";
import { checkRulesOf } from "../settings/scenario-settings.ts";

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
    ...defined({ checkLists: ownLists(checkRulesOf(settings)) }),
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
