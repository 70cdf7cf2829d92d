import { planDraft } from "../../domain/drafting/draft-request.ts";
import { type ModelUse, modelUse } from "../../domain/settings/choose-models.ts";
import { requireTrusted } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError, ModelNotFoundError } from "../../domain/values/workflow-error.ts";
import type { DraftWish, PlannedWish } from "../../http/studio-parts.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { requireOffered, requirePrices } from "../models/check-models.ts";
import { budgetOf } from "../settings/budget-of.ts";
import { loadRecipe } from "./recipes.ts";

export interface WishParts {
  readonly root: string;
  readonly settings: Settings;
  readonly runnerFor: RunnerFor;
  readonly at: Instant;
}

/** The frozen input for a wish that came over HTTP, or everything that is wrong with it, before anything is spent. */
export async function planWish(
  { root, settings, runnerFor, at }: WishParts,
  wish: DraftWish,
  wished: Budget | undefined,
): Promise<PlannedWish> {
  const { brief, recipe = "slogan", panel, candidates, seed, earlyStop } = wish;
  const { writer, reviewers } = peopleOf(wish, settings);
  const maxTurns = wish.maxTurns ?? settings.drafting.maxTurns;
  const { temperature, maxTokens } = settings;
  const plan = planDraft({
    brief,
    recipe: await loadRecipe(recipe, root, settings.drafting.recipes),
    writer: writer.model,
    reviewers: reviewers.map(({ model, label }) => ({
      model,
      ...defined({ label }),
    })),
    ...defined({ panelRule: panel, maxTurns, candidates, seed, earlyStop, maxTokens }),
    ...(temperature === undefined
      ? {}
      : { writerTemperature: temperature, reviewerTemperature: temperature }),
  });
  if (plan.kind === "refused") {
    throw refused(plan.problems.map(({ field, message }) => `${field} ${message}`));
  }
  const uses = [writer, ...reviewers];
  for (const use of uses) requireTrusted(settings.trust, use);
  const models = uses.map(({ model }) => model);
  const budget = wished ?? budgetOf(settings.limits.budget);
  requirePrices(budget, models, { settings, at });
  await requireOffered(runnerFor, models, settings.aliases);
  return { input: plan.input, budget };
}

interface Reviewer extends ModelUse {
  readonly label?: string;
}

/** Who writes and who reviews; a model that the request names counts as named by the user. */
function peopleOf(wish: DraftWish, { models, aliases }: Settings) {
  const named = (model: string): ModelUse => {
    if (model.startsWith("script:")) throw noFiles(model);
    return modelUse(model, "flag", aliases);
  };
  const writer = wish.model === undefined ? models.writer : named(wish.model);
  const byDefault = models.reviewer.source === "default" ? writer : models.reviewer;
  const reviewer = wish.reviewerModel === undefined ? byDefault : named(wish.reviewerModel);
  const reviewers: readonly Reviewer[] = wish.reviewers?.map(({ label, model }) => ({
    ...(model === undefined ? reviewer : named(model)),
    label,
  })) ?? [reviewer];
  return { writer, reviewers };
}

/** A script is a file's name, and no request may name a file. */
function noFiles(model: string): ModelNotFoundError {
  return new ModelNotFoundError("Scripts cannot be named over HTTP.", {
    code: "model-not-found",
    facts: { model },
    hint: "Use `signoff draft --script` for replies of your own.",
  });
}

function refused(problems: readonly string[]): ConfigurationError {
  return new ConfigurationError(`The draft cannot be started: ${problems.join("; ")}.`, {
    code: "request-invalid",
    facts: { problems },
  });
}
