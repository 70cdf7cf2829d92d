import { relative, resolve } from "node:path";
import { type DraftInput, noBrief } from "../../domain/drafting/draft-input.ts";
import { type DraftSpec, freezeDraft } from "../../domain/drafting/freeze-draft.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { type AskedDraft, planDraft } from "../../orchestration/drafting/plan-draft.ts";
import { type PromptNeed, promptNeeds } from "../../orchestration/drafting/prompt-needs.ts";
import type { Budget } from "../../ports/flow.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { chooseRecipe } from "./recipes.ts";

export interface PreparedDraft {
  readonly input: DraftInput;
  /** Absent: no limit. */
  readonly budget?: Budget;
  readonly models: readonly string[];
  /** The longest prompts of the first turn. */
  readonly prompts: readonly PromptNeed[];
}

interface DraftPlace {
  readonly root: string;
  readonly settings: Settings;
  readonly guard: Pick<TrustGuard, "choose">;
  /** Nobody watches who could tell a stand-in's signature from a model's, so one must have been named. */
  readonly isUnattended?: boolean;
}

/** Plans a draft and freezes its input. Throws everything that is wrong with the request, or missing trust. */
export async function prepareDraft(
  { root, settings, guard, isUnattended = false }: DraftPlace,
  asked: AskedDraft,
): Promise<PreparedDraft> {
  const { recipe = "slogan", ...request } = asked;
  const brief = asked.brief ?? (asked.own === undefined ? "" : noBrief);
  const chosen = await chooseRecipe(recipe, root, settings.drafting.recipes);
  const { draft, budget, uses, unnamed } = planDraft(request, settings, chosen);
  const input = frozenDraft({ ...draft, brief });
  if (isUnattended && unnamed !== undefined) throw noModel(unnamed);
  for (const use of uses) guard.choose(use);
  return {
    input,
    ...defined({ budget }),
    models: uses.map(({ model }) => model),
    prompts: promptNeeds(input),
  };
}

function noModel(role: "writer" | "reviewer"): ConfigurationError {
  return new ConfigurationError(`No model is configured to be the ${role}.`, {
    code: "no-model",
    facts: { role },
    hint: `Name one with --model, such as --model ollama/mistral, or in signoff.yaml; \`signoff models\` lists them. The rule-based stand-ins write and sign only when asked to: --model ${standInModel}.`,
  });
}

/** Throws everything that is wrong with it at once. */
export function frozenDraft(spec: DraftSpec): DraftInput {
  const plan = freezeDraft(spec);
  if (plan.kind === "planned") return plan.input;
  throw draftRefused(plan.problems.map(({ field, message }) => `${field} ${message}`));
}

export function draftRefused(problems: readonly string[], hint?: string): ConfigurationError {
  return new ConfigurationError(`The draft cannot be started: ${problems.join("; ")}.`, {
    ...{ code: "request-invalid", facts: { problems } },
    ...defined({ hint }),
  });
}

/** Script files are stored relative to the project, so that a run can be resumed from anywhere. */
export function modelInProject(model: string, root: string, cwd = process.cwd()): string {
  return model.startsWith("script:")
    ? `script:${relative(root, resolve(cwd, model.slice("script:".length)))}`
    : model;
}
