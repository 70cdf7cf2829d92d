import { randomUUID } from "node:crypto";
import { planDraft } from "../../domain/drafting/draft-request.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { requireOffered, requirePrices } from "../../wiring/models/check-models.ts";
import { findProjectRoot } from "../../wiring/project/project-root.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { budgetOf } from "../../wiring/settings/budget-of.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { runnersFor } from "../shell/runners-for.ts";
import type { DraftFlags } from "./draft-flags.ts";
import { offerOllama } from "./offer-ollama.ts";
import { planDraftCommand } from "./plan-draft-command.ts";
import { saveSession } from "./save-session.ts";

export async function startDraftCommand(
  cli: CliContext,
  brief: string,
  flags: DraftFlags,
): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home);
  const { output, runId } = flags;
  const {
    input,
    loaded,
    named,
    budget: given,
  } = await planDraftCommand(cli, { root, brief, flags });
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
        ...defined({ run: runId }),
      });
      if (continued) say(`Going on with run ${run}, which was not finished (--new starts afresh).`);
      return run;
    },
    ...(output === "-" ? { closingTo: cli.screen.err } : {}),
    ...(output === undefined ? {} : { save: (session) => saveSession(cli, session, output) }),
  });
  if (flags.quiet === true || flags.json === true) return;
  await offerOllama(cli, { settings, writer: input.creator.model, runnerFor });
}

const demoBrief =
  "a refillable water bottle made from ocean plastic, for people who hike and want less waste";

/** Slow enough to read along, on a terminal only. */
const demoMillisPerWord = 45;

export async function startDemo(cli: CliContext, flags: FollowFlags): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home);
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
