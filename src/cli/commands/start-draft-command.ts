import { randomUUID } from "node:crypto";
import { relative, resolve } from "node:path";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import { type DraftRequest, planDraft } from "../../domain/drafting/draft-request.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { startDraft } from "../../orchestration/drafting/start-draft.ts";
import { findProjectRoot } from "../../wiring/project-root.ts";
import { loadRecipe } from "../../wiring/recipes.ts";
import { checkModels } from "../../wiring/runners.ts";
import { clockOf } from "../../wiring/system-clock.ts";
import type { CliContext } from "../cli-context.ts";
import { readBudget } from "./budget-flag.ts";
import { type FollowFlags, followRun } from "./follow-run.ts";
import { checkOutput, saveSession } from "./save-session.ts";

export interface DraftFlags extends FollowFlags {
  readonly recipe: string;
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly reviewer?: readonly string[];
  readonly panel?: "all" | "majority" | "any";
  readonly script?: string;
  readonly maxTurns?: number;
  readonly candidates?: number;
  readonly seed?: number;
  readonly approval?: "phrase" | "structured";
  readonly earlyStop: boolean;
  readonly budget?: string;
  readonly new?: boolean;
  readonly output?: string;
  readonly runId?: string;
}

const offlineModel = "offline/rules";

export async function startDraftCommand(
  cli: CliContext,
  brief: string,
  flags: DraftFlags,
): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  const { output, runId } = flags;
  if (output !== undefined) checkOutput(output, flags);
  const budget = flags.budget === undefined ? undefined : readBudget(flags.budget);
  const input = planned(await requestOf(cli, { root, brief, flags }));
  await checkModels(modelsOf(input), { root, clock: clockOf(cli.environment) });
  await followRun(cli, {
    project: { root },
    flags: output === "-" ? { ...flags, quiet: true } : flags,
    start: async (project, say) => {
      const { run, continued } = await startDraft(project, {
        input,
        newId: randomUUID,
        ...(flags.new === true ? { fresh: true } : {}),
        ...(budget === undefined ? {} : { budget }),
        ...(runId === undefined ? {} : { run: runId }),
      });
      if (continued) say(`Going on with run ${run}, which was not finished (--new starts afresh).`);
      return run;
    },
    ...(output === "-" ? { closingTo: cli.screen.err } : {}),
    ...(output === undefined ? {} : { save: (session) => saveSession(cli, session, output) }),
  });
}

const demoBrief =
  "a refillable water bottle made from ocean plastic, for people who hike and want less waste";

/** Slow enough to read along, on a terminal only. */
const demoMillisPerWord = 45;

export async function startDemo(cli: CliContext, flags: FollowFlags): Promise<void> {
  const root = findProjectRoot(cli.cwd, cli.environment.home).path;
  const recipe = await loadRecipe("slogan", root);
  const input = planned({
    brief: demoBrief,
    recipe,
    writer: offlineModel,
    reviewers: [{ model: offlineModel }],
  });
  const isWatched = cli.screen.err.isTerminal && flags.quiet !== true && flags.json !== true;
  await followRun(cli, {
    project: { root, ...(isWatched ? { millisPerWord: demoMillisPerWord } : {}) },
    flags,
    start: async (project) => (await startDraft(project, { input, newId: randomUUID })).run,
  });
}

async function requestOf(
  cli: CliContext,
  asked: { readonly root: string; readonly brief: string; readonly flags: DraftFlags },
): Promise<DraftRequest> {
  const { root, brief, flags } = asked;
  const { maxTurns, candidates, seed, approval, panel } = flags;
  const script =
    flags.script === undefined
      ? undefined
      : `script:${relative(root, resolve(cli.cwd, flags.script))}`;
  const writer = script ?? flags.model ?? offlineModel;
  const reviewerModel = script ?? flags.reviewerModel ?? writer;
  return {
    brief,
    recipe: await loadRecipe(flags.recipe, root),
    writer,
    reviewers: reviewersOf(flags.reviewer ?? [], reviewerModel),
    earlyStop: flags.earlyStop,
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(seed === undefined ? {} : { seed }),
    ...(approval === undefined ? {} : { approval }),
    ...(panel === undefined ? {} : { panelRule: panel }),
  };
}

function reviewersOf(named: readonly string[], model: string): DraftRequest["reviewers"] {
  if (named.length === 0) return [{ model }];
  return named.map((text) => {
    const at = text.indexOf("=");
    return at < 0
      ? { label: text, model }
      : { label: text.slice(0, at), model: text.slice(at + 1) };
  });
}

function modelsOf({ creator, reviewers }: DraftInput): ReadonlySet<string> {
  return new Set([creator, ...reviewers].map(({ model }) => model));
}

function planned(request: DraftRequest): DraftInput {
  const plan = planDraft(request);
  if (plan.kind === "planned") return plan.input;
  const lines = plan.problems.map(({ field, message }) => `${field} ${message}`);
  throw new ConfigurationError(`The draft cannot be started: ${lines.join("; ")}.`, {
    code: "request-invalid",
    facts: { problems: lines },
  });
}
