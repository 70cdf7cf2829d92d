import { relative, resolve } from "node:path";
import type { SettingFlags } from "../../contract/config/setting-table.ts";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { type DraftRequest, type Problem, planDraft } from "../../domain/drafting/draft-request.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { type ModelUse, modelUse, standInModel } from "../../domain/settings/choose-models.ts";
import { requireTrusted } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Budget } from "../../ports/flow.ts";
import { listRecipes, loadRecipe } from "../../wiring/features/recipes.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import type { DraftFlags } from "./draft-flags.ts";
import { checkOutput } from "./save-session.ts";

export interface PlannedDraft {
  readonly input: DraftInput;
  readonly loaded: LoadedSettings;
  /** Models that the user named on this command line. */
  readonly named: readonly string[];
  /** Given on this command line. */
  readonly budget?: Budget;
}

interface Asked {
  readonly root: string;
  readonly brief: string;
  readonly flags: DraftFlags;
}

/** Settings and request together: everything that is wrong with either is said at once. */
export async function planDraftCommand(cli: CliContext, asked: Asked): Promise<PlannedDraft> {
  const { flags, root } = asked;
  const problems: string[] = [];
  const wrong: ConfigurationError[] = [];
  const budget = unlessWrong(
    () => (flags.budget === undefined ? undefined : readBudget(flags.budget)),
    wrong,
  );
  const { output, json } = flags;
  unlessWrong(() => output !== undefined && checkOutput(cli.cwd, output, json === true), wrong);
  const loaded = await settledOr(cli, asked, problems);
  const candidates = numberOf("candidates", flags.candidates, problems);
  const seed = numberOf("seed", flags.seed, problems);
  const folder = loaded?.settings.drafting.recipes;
  const recipe = await loadRecipe(flags.recipe, root, folder);
  const people =
    loaded === undefined ? undefined : await peopleOf(cli, { ...asked, recipe }, loaded.settings);
  const request: DraftRequest = {
    brief: asked.brief,
    recipe,
    writer: people?.writer.model ?? standInModel,
    reviewers: people?.reviewers ?? namedOnly(flags),
    earlyStop: flags.earlyStop,
    ...defined({ candidates, seed, approval: flags.approval, panelRule: flags.panel }),
    ...settled(loaded?.settings),
  };
  const plan = planDraft(request);
  if (plan.kind === "refused") problems.push(...plan.problems.map(told));
  const [first] = wrong;
  if (first !== undefined && problems.length + wrong.length === 1) throw first;
  problems.push(...wrong.map(({ message }) => message.replace(/\.$/u, "")));
  if (
    plan.kind === "refused" ||
    loaded === undefined ||
    people === undefined ||
    problems.length > 0
  )
    throw refused(problems);
  for (const use of people.uses) requireTrusted(loaded.settings.trust, use);
  const named = people.uses.filter((use) => !use.isFromProject).map(({ model }) => model);
  return { input: plan.input, loaded, named, ...defined({ budget }) };
}

/** Keeps what is wrong with a flag, so that it can be said together with the rest. */
function unlessWrong<T>(read: () => T, wrong: ConfigurationError[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    wrong.push(error);
    return undefined;
  }
}

async function settledOr(
  cli: CliContext,
  { root, flags }: Asked,
  problems: string[],
): Promise<LoadedSettings | undefined> {
  try {
    const quiet = flags.quiet === true || flags.json === true;
    return await settingsFor(cli, { root, flags: settingFlags(flags), quiet });
  } catch (error) {
    if (!(error instanceof ConfigurationError) || error.code !== "settings-invalid") throw error;
    problems.push(...problemsIn(error.facts.problems));
    return undefined;
  }
}

function settingFlags(flags: DraftFlags): SettingFlags {
  const { model, reviewerModel, baseUrl, maxTurns, temperature, maxTokens, timeout, retries } =
    flags;
  return {
    ...defined({
      model,
      reviewerModel,
      baseUrl,
      maxTurns,
      temperature,
      maxTokens,
      timeout,
      retries,
    }),
  };
}

function settled(settings: Settings | undefined): Partial<DraftRequest> {
  const { temperature, maxTokens, drafting } = settings ?? {};
  const maxTurns = drafting?.maxTurns;
  return {
    ...(temperature === undefined
      ? {}
      : { writerTemperature: temperature, reviewerTemperature: temperature }),
    ...defined({ maxTokens, maxTurns }),
  };
}

interface People {
  readonly writer: ModelUse;
  readonly reviewers: DraftRequest["reviewers"];
  readonly uses: readonly ModelUse[];
}

/** Who writes and who reviews. A recipe's own models hold where nobody named another. */
async function peopleOf(
  cli: CliContext,
  { root, flags, recipe }: Asked & { readonly recipe: Recipe },
  settings: Settings,
): Promise<People> {
  if (flags.script !== undefined) {
    const model = `script:${relative(root, resolve(cli.cwd, flags.script))}`;
    const script = { model, isFromProject: false };
    return { writer: script, reviewers: reviewersOf(flags, settings, script).map(bare), uses: [] };
  }
  const { models, drafting, aliases } = settings;
  const files = await listRecipes(root, drafting.recipes);
  const origin = files.find(({ id }) => id === flags.recipe)?.origin;
  const ofRecipe = (model: string | undefined): ModelUse | undefined =>
    model && isUnsaid(settings)
      ? { ...modelUse(model, "flag", aliases), isFromProject: origin === "project" }
      : undefined;
  const writer = ofRecipe(recipe.creator.model) ?? here(models.writer, { cli, root });
  const unnamed =
    ofRecipe(recipe.reviewer.model) ??
    (models.reviewer.source === "default" ? writer : here(models.reviewer, { cli, root }));
  const reviewers = reviewersOf(flags, settings, unnamed);
  return { writer, reviewers: reviewers.map(bare), uses: [writer, ...reviewers] };
}

/** Nobody named a model, and nothing about Ollama either. */
function isUnsaid({ models }: Settings): boolean {
  return models.writer.source === "default" && models.writer.model === standInModel;
}

/** Script files of a flag are named from the working directory, those of the settings from the project. */
function here(
  use: Settings["models"]["writer"],
  { cli, root }: { readonly cli: CliContext; readonly root: string },
): ModelUse {
  const { model, isFromProject, source } = use;
  if (source !== "flag" || !model.startsWith("script:")) return { model, isFromProject };
  const file = relative(root, resolve(cli.cwd, model.slice("script:".length)));
  return { model: `script:${file}`, isFromProject };
}

interface Reviewer extends ModelUse {
  readonly label?: string;
}

function reviewersOf(
  { reviewer = [] }: DraftFlags,
  { aliases }: Settings,
  unnamed: ModelUse,
): readonly Reviewer[] {
  if (reviewer.length === 0) return [unnamed];
  return reviewer.map((text) => {
    const at = text.indexOf("=");
    return at < 0
      ? { ...unnamed, label: text }
      : { ...modelUse(text.slice(at + 1), "flag", aliases), label: text.slice(0, at) };
  });
}

function bare({ model, label }: Reviewer): DraftRequest["reviewers"][number] {
  return { model, ...defined({ label }) };
}

/** Enough to find wrong labels while the settings are wrong too. */
function namedOnly({ reviewer = [] }: DraftFlags): DraftRequest["reviewers"] {
  if (reviewer.length === 0) return [{ model: standInModel }];
  return reviewer.map((text) => ({ model: standInModel, label: text.split("=")[0] ?? "" }));
}

function numberOf(field: string, text: string | undefined, problems: string[]): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d+$/u.test(text)) return Number(text);
  problems.push(`${field} is "${text}"; a whole number is needed`);
  return undefined;
}

function problemsIn(problems: Json | undefined): readonly string[] {
  if (!Array.isArray(problems)) return [];
  return problems.map((each) => {
    const { name, source, message } = each as { name: string; source: string; message: string };
    return `${name || "the file"}${source === "flag" ? "" : ` (${source})`} ${message}`;
  });
}

function told({ field, message }: Problem): string {
  return `${field} ${message}`;
}

function refused(problems: readonly string[]): ConfigurationError {
  return new ConfigurationError(`The draft cannot be started: ${problems.join("; ")}.`, {
    code: "request-invalid",
    facts: { problems },
  });
}
