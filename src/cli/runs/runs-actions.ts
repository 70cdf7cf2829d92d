import { decodeDraftInput } from "../../contract/drafting/draft-input.ts";
import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import { sessionAnswer } from "../../contract/http/draft-session.ts";
import { runToJson } from "../../contract/http/runs.ts";
import { firstStop } from "../../domain/drafting/stop-rules.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { deriveStanding } from "../../orchestration/drafting/derive-draft.ts";
import { type LoadedSession, loadSession } from "../../orchestration/drafting/load-session.ts";
import { cancelRun } from "../../orchestration/runs/cancel-run.ts";
import {
  listParts,
  loadOverview,
  type RunSource,
  stateOf,
  unknownRun,
} from "../../orchestration/runs/list-runs.ts";
import type { StartedRun } from "../../orchestration/scenarios/start-run.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { Project } from "../../wiring/project/project.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { frozenSettings } from "../../wiring/settings/frozen-settings.ts";
import type { DecisionInputs } from "../draft/decision-why.ts";
import { renderSessionText } from "../draft/session-text.ts";
import { readBudget } from "../shell/budget-flag.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type FollowFlags, followRun } from "../shell/follow-run.ts";
import { layOut } from "../shell/lay-out.ts";
import { type JsonFlags, printJson, printOut, printResult, rootOf } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import { renderStoredError } from "../shell/render-error.ts";
import { withProject } from "../shell/with-project.ts";
import { readRun } from "./read-run.ts";
import { renderRunsTable } from "./runs-table.ts";

export interface ShowFlags extends JsonFlags {
  readonly why?: boolean;
}

export interface ResumeFlags extends FollowFlags {
  readonly acceptChanges?: boolean;
  readonly budget?: string;
  readonly timeout?: string;
  readonly totalTimeout?: string;
  readonly retries?: string;
  readonly baseUrl?: string;
}

export interface CancelFlags extends JsonFlags {
  readonly reason: string;
}

export async function showRun(cli: CliContext, prefix: string, flags: ShowFlags): Promise<void> {
  const clock = clockOf(cli.environment);
  await readRun(cli, prefix, async (source, run) => {
    await showOne(cli, source, { run, flags });
    if (flags.json === true) return;
    const parts = await listParts(source, run);
    if (parts.length === 0) return;
    printOut(cli, (layout) => ["", ...renderRunsTable(parts, clock.now(), layout)]);
  });
}

async function showOne(
  cli: CliContext,
  source: RunSource,
  { run, flags }: { readonly run: RunId; readonly flags: ShowFlags },
): Promise<void> {
  const stored = await source.store.runs.load(run);
  if (stored !== undefined && questionKinds.includes(stored.job.kind)) {
    const { showQuestionRun } = await import("../packs/show-question-run.ts");
    return showQuestionRun(cli, { ...stored, state: stateOf(stored, source.isDead) }, flags);
  }
  const loaded = await loadSession(source.store, run);
  if (loaded?.session === undefined) return showWithoutSession(cli, source, { run, flags });
  const { session, record } = loaded;
  const standing = await deriveStanding(source, run);
  if (flags.json === true) return printJson(cli, sessionAnswer(session, standing));
  const { ending, budget } = record;
  const why = flags.why === true ? whyOf(loaded) : undefined;
  const view = defined({ ending, budget, standing, why });
  printOut(cli, (layout) => renderSessionText(session, { ...view, layout }));
}

/** For runs that have no session, such as a review of notes or a loop that has not started. */
async function showWithoutSession(
  cli: CliContext,
  source: RunSource,
  { run, flags }: { readonly run: RunId; readonly flags: ShowFlags },
): Promise<void> {
  const found = await loadOverview(source, run);
  if (found === undefined) throw unknownRun(run);
  if (flags.json === true) return printJson(cli, runToJson(found.overview));
  if (flags.why === true) throw noTurn();
  const { kind, state, title } = found.overview;
  const { ending } = found.record;
  printOut(cli, (layout) => [
    ...layOut([`Run ${run} (${kind}) is ${state}: ${title}`], layout),
    ...(ending?.kind === "failed" ? renderStoredError(ending.error, layout) : []),
  ]);
}

export async function resumeRun(
  cli: CliContext,
  prefix: string,
  flags: ResumeFlags,
): Promise<void> {
  const root = rootOf(cli);
  const budget = readBudget(flags.budget);
  // Read until the end: SQLite empties its log when the last connection closes, and the run would begin a new one.
  await readRun(cli, prefix, async ({ store }, run) => {
    const record = await store.runs.load(run);
    await continueRun(cli, { run, job: record?.job, root, flags, ...defined({ budget }) });
  });
}

async function continueRun(
  cli: CliContext,
  about: {
    readonly run: RunId;
    readonly job: Job | undefined;
    readonly root: string;
    readonly flags: ResumeFlags;
    readonly budget?: Budget;
  },
): Promise<void> {
  const { run, job, root, flags, budget } = about;
  const { episodeRunOf } = await import("../../orchestration/episodes/episode-run.ts");
  const episode = job === undefined ? undefined : episodeRunOf(job);
  const quiet = isQuiet(flags);
  const { settingsFor } = await import("../shell/cli-settings.ts");
  const { timeout, totalTimeout, retries, baseUrl } = flags;
  const given = defined({ timeout, totalTimeout, retries, baseUrl });
  const loaded = await settingsFor(cli, { root, quiet, flags: given });
  if (budget !== undefined) {
    const { requirePrices } = await import("../../wiring/models/check-models.ts");
    const models = episode?.models ?? (job === undefined ? [] : modelsOf(job));
    const at = clockOf(cli.environment).now();
    requirePrices(budget, models, { settings: loaded.settings, at });
  }
  const resume = async (project: Project): Promise<RunId> => {
    await project.engine.resume(run, {
      ...(flags.acceptChanges === true ? { acceptChanges: true } : {}),
      ...defined({ budget }),
      settings: frozenSettings(loaded),
    });
    return run;
  };
  if (episode !== undefined) {
    const { resumeEpisodeRun } = await import("../episode/episode-resume.ts");
    return resumeEpisodeRun(cli, { run, episode, root, loaded, flags, resume });
  }
  if (job === undefined || !questionKinds.includes(job.kind)) {
    return followRun(cli, { project: { root, loaded }, flags, start: resume });
  }
  const { followQuestions } = await import("../packs/follow-questions.ts");
  await followQuestions(cli, {
    project: { root, loaded, environment: cli.environment },
    flags,
    start: async (project) => {
      const { folder } = job.input as { readonly folder: string };
      const kind = job.kind as StartedRun["kind"];
      return { run: await resume(project), continued: true, kind, folder };
    },
  });
}

export async function cancelRunCommand(
  cli: CliContext,
  prefix: string,
  flags: CancelFlags,
): Promise<void> {
  const root = rootOf(cli);
  const { reason } = flags;
  const run = await readRun(cli, prefix, async (_, found) => found);
  await withProject(cli, { root, flags, runsNothing: true }, async ({ project }) => {
    const state = await cancelRun(project, run, reason);
    const said =
      state === "cancelled"
        ? "is cancelled"
        : "was asked to stop and will be cancelled, unless it finishes first";
    const text = `Run ${run} ${said}: ${reason}.`;
    printResult(cli, flags, { run_id: run, state, reason }, text);
  });
}

/** Runs that ask an assistant; they have a report where others have a session. */
const questionKinds: readonly string[] = ["pack", "pack-loop", "scenario"];

/** The models of a draft; other kinds of runs have their own commands. */
function modelsOf(job: Job): readonly string[] {
  if (job.kind !== "draft") return [];
  const { creator, reviewers } = decodeDraftInput(job.input);
  return [creator.model, ...reviewers.map(({ model }) => model)];
}

function noTurn(): WorkflowError {
  return new WorkflowError("No turn has been taken yet, so there is nothing to explain.", {
    code: "no-turn",
  });
}

/** What the rule looked at after the last turn. */
function whyOf({ record, iterations, session }: LoadedSession): DecisionInputs {
  const { kind, input } = record.job;
  const { recipe, maxTurns } =
    kind === "draft" ? decodeDraftInput(input) : decodeAssetJob(input).draft;
  const last = iterations.at(-1);
  if (last === undefined) throw noTurn();
  return {
    verdict: last.review.verdict,
    creatorDone: last.creatorDone,
    iteration: last.iteration,
    maxIterations: maxTurns,
    stopRules: recipe.stopRules.map((rule) => ({
      rule,
      fired: firstStop([rule], iterations) !== undefined,
    })),
    ...defined({ decision: session?.decision }),
  };
}
