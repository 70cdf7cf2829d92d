import type { DraftSpec } from "../../domain/drafting/freeze-draft.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import {
  type ChosenModel,
  chooseModels,
  type ModelUse,
  modelUse,
  standInModel,
} from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Budget } from "../../ports/flow.ts";
import { budgetOf } from "../runs/budget-of.ts";

/** How a text should be written; absent members come from the settings or the recipe. */
export interface DraftRequest
  extends Pick<
    DraftSpec,
    | "context"
    | "own"
    | "reviewOnly"
    | "panelRule"
    | "candidates"
    | "maxTurns"
    | "seed"
    | "approval"
    | "earlyStop"
  > {
  /** Who writes, and who reviews unless another is named. */
  readonly model?: string;
  readonly reviewerModel?: string;
  /** The members of a panel; one without a model has the reviewer's. */
  readonly reviewers?: readonly { readonly label: string; readonly model?: string }[];
  /** Programs that the workspace names for its roles. They rank below the caller's models and above the settings. */
  readonly agents?: { readonly writer?: string; readonly reviewer?: string };
  readonly budget?: Budget;
}

/** A draft as it is asked for, before its recipe is looked up. */
export interface AskedDraft extends DraftRequest {
  /** May be left out with a text of the user's own, which is then judged by the recipe alone. */
  readonly brief?: string;
  /** Id of a recipe, or a whole one. Default: `slogan`. */
  readonly recipe?: string | Recipe;
}

/** A recipe, and whether it comes from the project's files, which decides whether its models need trust. */
export interface ChosenRecipe {
  readonly recipe: Recipe;
  readonly isFromProject: boolean;
}

export type PlanSettings = Pick<
  Settings,
  "models" | "aliases" | "temperature" | "maxTokens" | "drafting" | "limits"
>;

export interface DraftPlan {
  readonly draft: Omit<DraftSpec, "brief">;
  /** Absent: no limit. */
  readonly budget?: Budget;
  /** Writer and reviewers, in this order; a review has no writer. */
  readonly uses: readonly ModelUse[];
  /** A role for which neither the caller nor any setting named a model, so that a stand-in would sign. */
  readonly unnamed?: "writer" | "reviewer";
}

/**
 * Decides who writes and reviews, and within which limits. Used by the command line, the API, the library and the
 * episodes.
 */
export function planDraft(
  request: DraftRequest,
  settings: PlanSettings,
  chosen: ChosenRecipe,
): DraftPlan {
  const { recipe } = chosen;
  const { panelRule, candidates, seed, approval, earlyStop, context, own, reviewOnly } = request;
  const { temperature, maxTokens, drafting } = settings;
  const { writer, reviewer } = choosePair(request, settings, chosen);
  const reviewers = choosePanel(request, settings, chosen).map(({ label, use = reviewer }) => ({
    ...use,
    label,
  }));
  const maxTurns = request.maxTurns ?? drafting.maxTurns;
  const budget = budgetOf(request.budget, settings);
  const isReview = reviewOnly === true;
  const unnamed =
    !isReview && isByDefault(writer)
      ? ("writer" as const)
      : reviewers.some(isByDefault)
        ? ("reviewer" as const)
        : undefined;
  return {
    draft: {
      recipe,
      writer: writer.model,
      reviewers: reviewers.map(({ label, model }) => ({ model, ...defined({ label }) })),
      ...defined({ panelRule, candidates, maxTurns, seed, approval, earlyStop }),
      ...defined({ temperature, maxTokens, context, own, reviewOnly }),
    },
    ...defined({ budget, unnamed }),
    uses: isReview ? reviewers : [writer, ...reviewers],
  };
}

function isByDefault(use: ModelUse & Partial<ChosenModel>): boolean {
  return use.source === "default" && use.model === standInModel;
}

interface Member {
  readonly label?: string;
  /** Absent: the reviewer's model. */
  readonly use?: ModelUse | undefined;
}

/**
 * A recipe's panel is always complete: naming members only chooses their models. The recipe's own model for a member is
 * used unless the caller names one. Members that are unknown or named twice are refused when the draft is frozen.
 */
function choosePanel(
  request: DraftRequest,
  settings: PlanSettings,
  { recipe, isFromProject }: ChosenRecipe,
): readonly Member[] {
  const { aliases } = settings;
  const asked = (request.reviewers ?? []).map(
    ({ label, model }): Member => ({
      label,
      use: model === undefined ? undefined : modelUse(model, "flag", aliases),
    }),
  );
  const { panel } = recipe;
  if (panel === undefined) return asked.length === 0 ? [{}] : asked;
  const isNamed = namedIn(request, settings).reviewer.source === "flag";
  const own = panel.map(({ name: label, model }): Member => {
    const use = asked.find((member) => member.label === label)?.use;
    if (use !== undefined || model === undefined || isNamed) return { label, use };
    return { label, use: { ...modelUse(model, "flag", aliases), isFromProject } };
  });
  const labels = asked.map(({ label }) => label);
  const wrong = asked.filter(
    ({ label }, at) => labels.indexOf(label) < at || !panel.some(({ name }) => name === label),
  );
  return [...own, ...wrong];
}

export interface ModelPair {
  readonly writer: ModelUse;
  readonly reviewer: ModelUse;
}

/** For each role: what the caller named, the workspace's agent, the settings, the recipe, and last the stand-in. */
export function choosePair(
  request: DraftRequest,
  settings: PlanSettings,
  chosen?: ChosenRecipe,
): ModelPair {
  const { writer, reviewer } = namedIn(request, settings);
  const { agents = {} } = request;
  const agent = (model: string | undefined, { source }: ChosenModel): ModelUse | undefined =>
    model === undefined || source === "flag" ? undefined : { model, isFromProject: false };
  const writes = agent(agents.writer, writer);
  const isUnnamed =
    writes === undefined && writer.source === "default" && writer.model === standInModel;
  const ofRecipe = (role: "creator" | "reviewer"): ModelUse | undefined => {
    const model = chosen?.recipe[role].model;
    if (chosen === undefined || model === undefined || !isUnnamed) return undefined;
    const { isFromProject } = chosen;
    return { ...modelUse(model, "flag", settings.aliases), isFromProject };
  };
  const by = writes ?? ofRecipe("creator") ?? writer;
  const byDefault = reviewer.source === "default";
  return {
    writer: by,
    reviewer:
      agent(agents.reviewer, reviewer) ?? (byDefault ? (ofRecipe("reviewer") ?? by) : reviewer),
  };
}

/** The settings' models where the request names no others. */
function namedIn(
  { model, reviewerModel = model }: DraftRequest,
  { models, aliases }: PlanSettings,
): { readonly writer: ChosenModel; readonly reviewer: ChosenModel } {
  const given = (named: string | undefined, settled: ChosenModel) => [
    ...(named === undefined
      ? []
      : [{ value: modelUse(named, "flag", aliases), source: "flag" as const, as: "model" }]),
    ...(settled.source === "default"
      ? []
      : [{ value: settled, source: settled.source, as: "models" }]),
  ];
  const { writer, reviewer } = models;
  return chooseModels({
    given: {
      writer: given(model, writer),
      reviewer: given(reviewerModel, reviewer),
      judge: [],
      analyst: [],
      user: [],
    },
    isOllamaSet: writer.source === "default" && writer.model !== standInModel,
  });
}
