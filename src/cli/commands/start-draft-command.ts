import { randomUUID } from "node:crypto";
import { planDraft } from "../../domain/drafting/draft-request.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { requireOffered, requirePrices } from "../../wiring/check-models.ts";
import { probeOllama } from "../../wiring/offered-models.ts";
import { clockOf } from "../../wiring/project.ts";
import { findProjectRoot } from "../../wiring/project-root.ts";
import { loadRecipe } from "../../wiring/recipes.ts";
import type { CliContext } from "../cli-context.ts";
import { layOut } from "../terminal/lay-out.ts";
import { printLines } from "../terminal/screen.ts";
import { readBudget } from "./budget-flag.ts";
import { budgetOf, runnersFor } from "./cli-settings.ts";
import { type FollowFlags, followRun } from "./follow-run.ts";
import { type PlannedDraft, planDraftCommand } from "./plan-draft-command.ts";
import { checkOutput, saveSession } from "./save-session.ts";

/** As they were typed; numbers are read together with the settings, so that all that is wrong is said at once. */
export interface DraftFlags extends FollowFlags {
  readonly recipe: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly reviewer?: readonly string[];
  readonly panel?: "all" | "majority" | "any";
  readonly script?: string;
  readonly maxTurns?: string;
  readonly temperature?: string;
  readonly maxTokens?: string;
  readonly timeout?: string;
  readonly retries?: string;
  readonly baseUrl?: string;
  readonly candidates?: string;
  readonly seed?: string;
  readonly approval?: "phrase" | "structured";
  readonly earlyStop: boolean;
  readonly budget?: string;
  readonly new?: boolean;
  readonly output?: string;
  readonly runId?: string;
}

export async function startDraftCommand(
  cli: CliContext,
  brief: string,
  flags: DraftFlags,
): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  const { output, runId } = flags;
  if (output !== undefined) checkOutput(output, flags);
  const given = flags.budget === undefined ? undefined : readBudget(flags.budget);
  const planned = await planDraftCommand(cli, { root, brief, flags });
  const { input, loaded, named } = planned;
  const { settings } = loaded;
  const budget = given ?? budgetOf(settings.limits.budget);
  const models = [input.creator.model, ...input.reviewers.map(({ model }) => model)];
  const runnerFor = runnersFor(cli, root, { ...loaded, named });
  requirePrices(budget, models, { settings, at: clockOf(cli.environment).now() });
  await requireOffered(runnerFor, models, settings.aliases);
  await followRun(cli, {
    project: { root, loaded, named },
    flags: output === "-" ? { ...flags, quiet: true } : flags,
    start: async (project, say) => {
      const { run, continued } = await startDraft(project, {
        input,
        newId: randomUUID,
        ...(flags.new === true ? { fresh: true } : {}),
        ...(Object.keys(budget).length === 0 ? {} : { budget }),
        ...(runId === undefined ? {} : { run: runId }),
      });
      if (continued) say(`Going on with run ${run}, which was not finished (--new starts afresh).`);
      return run;
    },
    ...(output === "-" ? { closingTo: cli.screen.err } : {}),
    ...(output === undefined ? {} : { save: (session) => saveSession(cli, session, output) }),
  });
  await offerOllama(cli, planned, runnerFor, flags);
}

/** The last line of a draft by stand-ins that nobody asked for, where somebody can read it. */
async function offerOllama(
  cli: CliContext,
  { input, loaded }: PlannedDraft,
  runnerFor: Parameters<typeof probeOllama>[0],
  flags: FollowFlags,
): Promise<void> {
  const { models, ollama } = loaded.settings;
  const isDefault = models.writer.source === "default" && input.creator.model === standInModel;
  if (!isDefault || !cli.screen.err.isTerminal || flags.quiet === true || flags.json === true)
    return;
  const [first] = (await probeOllama(runnerFor)) ?? [];
  if (first === undefined) return;
  const text = `An Ollama answers at ${ollama.baseUrl}: add --model ${first} to have real models write and review.`;
  printLines(cli.screen.err, layOut([{ text, style: "accent" }], cli.layoutOf(cli.screen.err)));
}

const demoBrief =
  "a refillable water bottle made from ocean plastic, for people who hike and want less waste";

/** Slow enough to read along, on a terminal only. */
const demoMillisPerWord = 45;

export async function startDemo(cli: CliContext, flags: FollowFlags): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  const recipe = await loadRecipe("slogan", root);
  const reviewers = [{ model: standInModel }];
  const plan = planDraft({ brief: demoBrief, recipe, writer: standInModel, reviewers });
  if (plan.kind === "refused") throw new WorkflowError("No demo.", { code: "internal-error" });
  const { input } = plan;
  const isWatched = cli.screen.err.isTerminal && flags.quiet !== true && flags.json !== true;
  await followRun(cli, {
    project: { root, ...(isWatched ? { millisPerWord: demoMillisPerWord } : {}) },
    flags,
    start: async (project) => (await startDraft(project, { input, newId: randomUUID })).run,
  });
}
