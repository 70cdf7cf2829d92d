import { unnamedReviewer } from "../../domain/drafting/panel.ts";
import type { ModelUse } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { type DraftRequest, planDraft } from "../../orchestration/drafting/plan-draft.ts";
import type { AssetRequest } from "../../orchestration/episodes/freeze-asset.ts";
import type { Budget } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { requireUsable } from "../models/check-models.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { chooseRecipe } from "./recipes.ts";

/** A request to write or review one text of an episode. */
export interface AskedAsset extends DraftRequest {
  readonly assetId: string;
  /** Of all iterations of the text. */
  readonly maxIterations?: number;
  /** First drafts are not reviewed, so only the writer is asked. */
  readonly isFirstDraft?: boolean;
}

export interface PlannedAsset {
  readonly request: AssetRequest;
  readonly uses: readonly ModelUse[];
}

export async function planAsset(
  { root, settings }: { readonly root: string; readonly settings: Settings },
  { assetId, maxIterations, isFirstDraft = false, ...asked }: AskedAsset,
): Promise<PlannedAsset> {
  const { recipe, isFromProject } = await chooseRecipe(assetId, root, settings.drafting.recipes);
  const maxTurns = settings.episodes.maxIterations ?? recipe.maxTurns;
  const chosen = { recipe: { ...recipe, maxTurns }, isFromProject };
  const { draft, uses } = planDraft(asked, settings, chosen);
  const { writer, candidates, temperature, maxTokens } = draft;
  return {
    request: {
      ...{ assetId, recipe: chosen.recipe, writer },
      // Named like the role, as the original program names a reviewer's files.
      reviewers: isFirstDraft
        ? [{ model: writer }]
        : draft.reviewers.map(({ label = unnamedReviewer, model }) => ({ label, model })),
      ...defined({ maxIterations, candidates, temperature, maxTokens }),
    },
    uses: isFirstDraft ? uses.slice(0, 1) : uses,
  };
}

/** Refuses models that cannot be asked, before anything is written. */
export async function requireAssetModels(
  uses: readonly ModelUse[],
  about: {
    readonly settings: Settings;
    readonly guard: Pick<TrustGuard, "choose">;
    readonly runnerFor: RunnerFor;
    readonly budget: Budget;
    readonly at: Instant;
    /** Programs of `episode.yaml`, which are checked when they are looked up. */
    readonly agents?: readonly string[];
  },
): Promise<void> {
  const { settings, guard, runnerFor, budget, at, agents = [] } = about;
  const others = uses.filter(({ model }) => !agents.includes(model));
  for (const use of others) guard.choose(use);
  const models = others.map(({ model }) => model);
  await requireUsable({ models, budget }, { settings, runnerFor, at });
}
