import { join, relative } from "node:path";
import { type EpisodeReviewView, episodeReviewToJson } from "../../contract/http/episodes.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import { checkAssetId } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { assetStatusOf, type EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { isAccepted } from "../../domain/episodes/text-standing.ts";
import type { ModelUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { makeDemoInputs, writeDemoScript } from "../../orchestration/episodes/demo-episode.ts";
import { episodeRunEndings } from "../../orchestration/episodes/episode-project.ts";
import type { AssetRequest } from "../../orchestration/episodes/freeze-asset.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import {
  ensureState,
  openTexts,
  planReview,
  type ReviewedAsset,
  startReview,
} from "../../orchestration/episodes/review-episode.ts";
import { beginAgain } from "../../orchestration/episodes/rule-on-asset.ts";
import type { Budget, Ending } from "../../ports/flow.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import { episodeStatusOf, readEpisodeStatus } from "../../wiring/features/episode-reading.ts";
import {
  createWorkspace,
  demoPathFor,
  episodeProject,
  type OpenedWorkspace,
  openWorkspace,
} from "../../wiring/features/episode-workspace.ts";
import { workspaceLock } from "../../wiring/features/episodes.ts";
import { modelInProject } from "../../wiring/features/prepare-draft.ts";
import { authorOf } from "../../wiring/project/author.ts";
import type { Project } from "../../wiring/project/project.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfEnding, worstExitCode } from "../shell/exit-code.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { type FollowFlags, loopDisplay } from "../shell/follow-run.ts";
import { ownReason } from "../shell/own-words.ts";
import { printErr, printResult } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import { type OpenedProject, withProject } from "../shell/with-project.ts";
import { type EpisodeModelFlags, type EpisodeModels, modelsOfEpisode } from "./episode-models.ts";
import { EpisodeProgress } from "./episode-progress.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";
import { withoutSummary } from "./episode-writing.ts";
import { episodeReviewLines, type RunOfReview, reviewView } from "./render-episode-review.ts";
import { typedHere } from "./typed-here.ts";

export interface EpisodeReviewFlags extends WorkspaceFlags, EpisodeModelFlags, FollowFlags {
  readonly assetId?: readonly string[];
  readonly all?: boolean;
  readonly maxIterations?: number;
  readonly fakeRunner?: boolean;
  /** Of a workspace that is made for the demonstration. */
  readonly episodeId?: string;
  readonly restart?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly runId?: string;
}

/** A review, which with `own` begins with a person's text. */
export async function reviewCommand(
  cli: CliContext,
  asked: EpisodeReviewFlags,
  own?: OwnText,
): Promise<void> {
  const assetIds = assetIdsOf(asked);
  const flags =
    asked.restart === true
      ? { ...asked, reason: await ownReason(cli, asked, "Why start over?") }
      : asked;
  const opened = await workspaceOf(cli, flags);
  const { unpicked, undecided } = await openTexts(opened, assetIds, { isAll: flags.all === true });
  // What is decided is answered from the files, before any program of the workspace has to be trusted.
  if (own === undefined && (flags.restart === true ? unpicked : undecided).length === 0) {
    const status = await readEpisodeStatus(opened, { ...cli, root: opened.root });
    const results = resultsOf(status, assetIds, () => ({ isUnchanged: true }));
    return conclude(cli, flags, { workspace: opened, results });
  }
  const planned = await planAssets(cli, flags, { opened, assetIds: unpicked });
  const { models, uses } = planned;
  const requests = planned.requests.map((one) => ({ ...one, ...defined({ edited: own }) }));
  const { workspace } = models;
  const at = clockOf(cli.environment).now();
  if (flags.restart !== true && own === undefined) await planReview(workspace, requests, at);
  // The demonstration's scripts are written with everything else.
  if (!usesDemoScript(flags)) await models.check(uses);
  const several = assetIds.length > 1;
  const display = several ? new EpisodeProgress(cli, flags) : loopDisplay(cli, flags, withoutBrief);
  await withProject(cli, { ...models.access, flags, display }, (opened) =>
    runReview(cli, {
      ...{ flags, workspace, budget: models.budget, requests, assetIds, at, opened },
      ...defined({ own }),
    }),
  );
}

/** A text that a person wrote, and why it is to be reviewed now. */
export interface OwnText {
  readonly text: string;
  readonly by: string;
  readonly reason: string;
}

interface Review {
  readonly own?: OwnText;
  readonly flags: EpisodeReviewFlags;
  readonly workspace: OpenedWorkspace;
  readonly budget: Budget;
  readonly requests: readonly AssetRequest[];
  /** Everything asked for, also what is left alone. */
  readonly assetIds: readonly string[];
  readonly at: Instant;
  readonly opened: OpenedProject;
}

async function runReview(cli: CliContext, review: Review): Promise<void> {
  const { flags, workspace, requests, at } = review;
  const { project, say, closeDisplay } = review.opened;
  const home = episodeProject(project);
  await prepare(cli, review);
  const plan = await planReview(workspace, requests, at);
  if (plan.isBeginningOnly && !isQuiet(flags)) {
    printErr(cli, withoutSummary(await typedHere(cli, workspace)));
  }
  if (plan.jobs.length === 0) {
    // A run that was killed had decided everything; its files were written when the project was opened.
    closeDisplay();
    const status = await readEpisodeStatus(workspace, { ...cli, root: workspace.root });
    const results = resultsOf(status, review.assetIds, () => ({ isUnchanged: true }));
    return conclude(cli, flags, { workspace, results });
  }
  const { run, continued, replaced } = await startReview(
    home,
    {
      ...{ ...plan, budget: review.budget, hasNamedModels: hasNamedModels(flags) },
      ...defined({ maxIterations: flags.maxIterations }),
    },
    flags.runId,
  );
  for (const { run: old } of replaced) {
    say(`Run ${old} was started with another model and is replaced; its finished turns stay.`);
  }
  if (continued) say(`Resuming unfinished run ${run}.`);
  const ending = await project.engine.ending(run, new AbortController().signal);
  closeDisplay();
  const { assetIds } = review;
  const unchanged = assetIds.filter((assetId) => !plan.assetIds.includes(assetId));
  await concludeReview(cli, flags, { workspace, project, run, ending, assetIds, unchanged });
}

/** Reports the state of each text of a run. */
export async function concludeReview(
  cli: CliContext,
  flags: FollowFlags,
  done: {
    readonly workspace: OpenedWorkspace;
    readonly project: Project;
    readonly run: RunId;
    readonly ending: Ending;
    readonly assetIds: readonly string[];
    /** Of `assetIds`: those that were decided before. */
    readonly unchanged?: readonly string[];
  },
): Promise<void> {
  const { workspace, project, run, assetIds, unchanged = [] } = done;
  const endings = await episodeRunEndings(episodeProject(project), run, done.ending);
  const reading = { ...cli, root: workspace.root, records: project.store.runs };
  const status = await episodeStatusOf(workspace, reading);
  const results = resultsOf(status, assetIds, (assetId) => ({
    isUnchanged: unchanged.includes(assetId),
    ...defined({ ending: endings.get(assetId) }),
  }));
  const budget = (await project.store.runs.load(run))?.budget;
  await conclude(cli, flags, { workspace, results, run, ...defined({ budget }) });
}

function resultsOf(
  status: EpisodeStatus,
  assetIds: readonly string[],
  aboutOf: (assetId: string) => Omit<ReviewedAsset, "status">,
): readonly ReviewedAsset[] {
  return assetIds.map((assetId) => ({
    status: assetStatusOf(status, assetId),
    ...aboutOf(assetId),
  }));
}

/** Writes what must be on disk before anything is frozen from it. */
async function prepare(cli: CliContext, review: Review): Promise<void> {
  const { flags, workspace, requests, at, opened, own } = review;
  const { folder } = workspace;
  const lock = workspaceLock(opened.project);
  const home = episodeProject(opened.project);
  await folder.sweep();
  await ensureState(workspace, lock, at);
  if (own !== undefined || flags.restart === true) {
    const { by } = own ?? (await authorOf({ ...cli, cwd: folder.root }, flags));
    const ruling = { by, at, reason: own?.reason ?? flags.reason ?? "" };
    for (const { assetId } of requests) {
      await beginAgain(home, workspace, { assetId, ruling, ...defined({ text: own?.text }) });
    }
  }
  if (!usesDemoScript(flags)) return;
  for (const { assetId, maxIterations, recipe } of requests) {
    await writeDemoScript(folder, { assetId, turns: maxIterations ?? recipe.maxTurns });
  }
}

/** The brief of an episode is long, and its text is in the workspace. */
export function withoutBrief(stored: StoredEvent): DraftEvent | undefined {
  const event = readDraftEvent(stored);
  return event?.kind === "loop-started" ? { ...event, brief: "the episode's own" } : event;
}

async function conclude(
  cli: CliContext,
  flags: FollowFlags,
  done: RunOfReview & {
    readonly workspace: OpenedWorkspace;
    readonly results: readonly ReviewedAsset[];
  },
): Promise<void> {
  const { workspace, results, run } = done;
  const typed = await typedHere(cli, workspace);
  cli.end(worstExitCode(results.map(codeOf)));
  const view: EpisodeReviewView = {
    workspace: relative(cli.cwd, workspace.folder.root) || ".",
    ...defined({ runId: run }),
    standIn: results.some(({ status }) => status.standIn),
    assets: results.map((one) => reviewView(one, done)),
  };
  printResult(cli, flags, episodeReviewToJson(view), episodeReviewLines(view, typed));
}

function codeOf({ status, ending }: ReviewedAsset): ExitCode {
  if (ending !== undefined && ending.kind !== "finished") return exitCodeOfEnding(ending);
  if (isAccepted(status)) return exitCode.accepted;
  return status.outcome === "in_progress" ? exitCode.outside : exitCode.notAccepted;
}

/** The original program reviews the description where no text is named, and so do we. */
function assetIdsOf({ assetId, all }: EpisodeReviewFlags): readonly string[] {
  if (all === true && assetId !== undefined)
    throw invalidFlag("Give --asset-id or --all, not both.");
  if (all === true) return assetKinds;
  const assetIds = [...new Set(assetId ?? ["description"])];
  for (const id of assetIds) checkAssetId(id);
  return assetIds;
}

/** With `--fake-runner` a workspace is made where there is none, so that a new user sees a loop at once. */
async function workspaceOf(cli: CliContext, flags: EpisodeReviewFlags): Promise<OpenedWorkspace> {
  const { environment } = cli;
  const { fakeRunner, episodeId = "demo_ep_001" } = flags;
  const path = fakeRunner === true ? await demoPathFor(cli.cwd, flags.workspace) : undefined;
  if (path === undefined) return workspaceFor(cli, flags);
  await createWorkspace(path, { episodeId, environment });
  const workspace = await openWorkspace({ ...cli, workspace: path });
  await makeDemoInputs(workspace.folder, clockOf(environment).now());
  return workspace;
}

interface Planned {
  readonly models: EpisodeModels;
  readonly requests: readonly AssetRequest[];
  readonly uses: readonly ModelUse[];
}

async function planAssets(
  cli: CliContext,
  flags: EpisodeReviewFlags,
  { opened, assetIds }: { readonly opened: OpenedWorkspace; readonly assetIds: readonly string[] },
): Promise<Planned> {
  const { root, folder } = opened;
  const isDemo = usesDemoScript(flags);
  const settings = isDemo ? { agents: {} } : await loadEpisodeSettings(folder);
  const about = { workspace: opened, settings, writes: "creator" } as const;
  const models = await modelsOfEpisode(cli, flags, about);
  const planned = await Promise.all(
    assetIds.map((assetId) => {
      const script = `script:${join(folder.root, layout.provenance("scripts", assetId))}`;
      return models.plan({
        ...{ assetId, ...defined({ maxIterations: flags.maxIterations }) },
        ...(isDemo ? { model: modelInProject(script, root) } : {}),
        ...(flags.fakeRunner === true ? { reviewers: [{ label: "reviewer_a" }] } : {}),
      });
    }),
  );
  return {
    models,
    requests: planned.map(({ request }) => request),
    uses: planned.flatMap(({ uses }) => uses),
  };
}

function hasNamedModels({ model, reviewerModel, script }: EpisodeReviewFlags): boolean {
  return [model, reviewerModel, script].some((one) => one !== undefined);
}

function usesDemoScript({ fakeRunner, script }: EpisodeReviewFlags): boolean {
  return fakeRunner === true && script === undefined;
}
