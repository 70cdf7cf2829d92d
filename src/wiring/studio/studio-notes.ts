import type { Settings } from "../../domain/settings/settings.ts";
import { ModelNotFoundError } from "../../domain/values/workflow-error.ts";
import type { StudioNotes } from "../../http/note-parts.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { notesToolsOf, reviewEngineOf } from "../features/notes.ts";
import { requireOffered } from "../models/check-models.ts";
import { modelPrices } from "../models/prices.ts";
import type { Project } from "../project/project.ts";
import type { Environment } from "../settings/environment.ts";
import type { TrustGuard } from "../settings/guard.ts";

export function studioNotes(surroundings: {
  readonly root: string;
  readonly environment: Environment;
  readonly project: Project;
  readonly settings: Settings;
  readonly guard: TrustGuard;
  readonly runnerFor: RunnerFor;
}): StudioNotes {
  const { root, environment, project, settings, runnerFor, guard } = surroundings;
  const prices = () => modelPrices(settings, project.clock.now());
  return {
    engine: reviewEngineOf(project),
    tools: () => notesToolsOf(project, { root, environment, settings }),
    async judges(tools, model) {
      const { models } = tools.settings;
      const named = model === undefined ? models : models.filter((one) => one === model);
      if (named.length === 0) throw unknownJudge(model ?? "");
      for (const use of settings.notes.models) {
        if (named.includes(use.model)) guard.choose(use);
      }
      await requireOffered(runnerFor, named, settings.aliases);
      return named;
    },
    priceRange: (models, cost) => prices().range(models, cost),
  };
}

function unknownJudge(model: string): ModelNotFoundError {
  return new ModelNotFoundError("That model is not one of the judges in the settings.", {
    code: "model-not-found",
    facts: { model },
    hint: "Add it to notes.models in signoff.yaml.",
  });
}
