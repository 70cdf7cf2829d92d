import { randomUUID } from "node:crypto";
import { parsedOrThrow } from "../../contract/documents/file-problem.ts";
import { parseRecipe } from "../../contract/drafting/recipe.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { frozenDraft } from "../../wiring/features/prepare-draft.ts";
import { chooseRecipe, loadRecipe } from "../../wiring/features/recipes.ts";
import { requireUsable } from "../../wiring/models/check-models.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import { readInputText } from "../../wiring/project/save-text.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { frozenSettings } from "../../wiring/settings/frozen-settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { rootOf } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import type { DraftFlags, ReviewFlags } from "./draft-flags.ts";
import { offerOllama } from "./offer-ollama.ts";
import { planDraftCommand, type TypedDraft } from "./plan-draft-command.ts";
import { readTexts } from "./read-brief.ts";
import { saveRecord, saveSession } from "./save-session.ts";

export async function startDraftCommand(
  cli: CliContext,
  brief: string | undefined,
  flags: DraftFlags,
): Promise<void> {
  const texts = await readTexts(cli, brief, flags);
  await runCommand(cli, { root: rootOf(cli), texts, flags });
}

/** `signoff review`: the same loop, ended after the review of the first text. */
export async function startReviewCommand(
  cli: CliContext,
  file: string,
  { brief, ...flags }: ReviewFlags,
): Promise<void> {
  if (flags.recipe === undefined) {
    const hint = "Give one, such as --recipe release_note; `signoff recipes list` shows them all.";
    throw invalidFlag(`--recipe is missing: it says what kind of text ${file} is.`, hint);
  }
  const texts = await readTexts(cli, brief, { ...flags, from: file });
  const asked = { ...flags, earlyStop: true };
  await runCommand(cli, { root: rootOf(cli), texts, flags: asked, reviewOnly: true });
}

async function runCommand(cli: CliContext, typed: TypedDraft): Promise<void> {
  const { root, flags } = typed;
  const { output, record, runId } = flags;
  const planned = await planDraftCommand(cli, typed);
  const { input, loaded, budget } = planned;
  const { settings } = loaded;
  const runnerFor = runnersOf({ ...cli, root, loaded });
  await requireUsable(planned, { settings, runnerFor, at: clockOf(cli.environment).now() });
  await followRun(cli, {
    project: { root, loaded },
    flags: output === "-" ? { ...flags, quiet: true } : flags,
    start: async (project, say) => {
      const { run, continued } = await startDraft(project, {
        input,
        newId: randomUUID,
        settings: frozenSettings(loaded),
        ...(flags.new === true ? { fresh: true } : {}),
        ...defined({ budget, run: runId }),
      });
      if (continued) say(`Resuming unfinished run ${run} (--new starts over).`);
      return run;
    },
    ...(output === "-" ? { closingTo: cli.screen.err } : {}),
    save: async (session) => {
      if (output !== undefined) await saveSession(cli, session, output);
      if (record !== undefined) await saveRecord(cli, session, record);
    },
  });
  if (isQuiet(flags)) return;
  await offerOllama(cli, { settings, writer: input.creator.model, runnerFor });
}

/** Shows how a recipe works: the checks are real, writer and reviewer are rules, nothing is kept. */
export async function tryRecipe(
  cli: CliContext,
  asked: {
    readonly recipe: string;
    readonly brief: string | undefined;
    readonly flags: FollowFlags;
  },
): Promise<void> {
  const root = rootOf(cli);
  const { brief = demoBrief } = await readTexts(cli, asked.brief ?? demoBrief, {});
  const { settings } = await settingsFor(cli, { root, quiet: true });
  const recipe = await recipeNamed(cli, asked.recipe, settings.drafting.recipes);
  const input = frozenDraft({
    ...{ brief, recipe, writer: standInModel },
    reviewers: recipe.panel?.map(({ name }) => ({ label: name, model: standInModel })) ?? [
      { model: standInModel },
    ],
  });
  await followRun(cli, {
    project: { root, inMemory: true },
    flags: asked.flags,
    isTrial: true,
    start: async (project) => (await startDraft(project, { input, newId: randomUUID })).run,
  });
}

/** A recipe by its id, or a file that is not in the project yet. */
async function recipeNamed(cli: CliContext, named: string, folder: string): Promise<Recipe> {
  if (!named.endsWith(".md")) return (await chooseRecipe(named, rootOf(cli), folder)).recipe;
  const text = await readInputText(cli.cwd, named, { mayBeEmpty: true });
  return parsedOrThrow(parseRecipe(text, named), {
    code: "recipe-invalid",
    heading: `The recipe ${named} cannot be used.`,
    facts: { recipe: named },
  });
}

const demoBrief =
  "a refillable water bottle made from ocean plastic, for people who hike and want less waste";

/** Slow enough to read along, on a terminal only. */
const demoMillisPerWord = 45;

export async function startDemo(cli: CliContext, flags: FollowFlags): Promise<void> {
  const root = rootOf(cli);
  const recipe = await loadRecipe("slogan", root);
  const reviewers = [{ model: standInModel }];
  const input = frozenDraft({ brief: demoBrief, recipe, writer: standInModel, reviewers });
  const isWatched = cli.screen.err.isTerminal && flags.quiet !== true && flags.json !== true;
  await followRun(cli, {
    project: { root, ...(isWatched ? { millisPerWord: demoMillisPerWord } : {}) },
    flags,
    start: async (project) => (await startDraft(project, { input, newId: randomUUID })).run,
  });
}
