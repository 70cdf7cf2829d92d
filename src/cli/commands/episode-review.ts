import { join, relative } from "node:path";
import { type EpisodeReviewView, episodeReviewToJson } from "../../contract/http/episodes.ts";
import type { DraftEvent } from "../../domain/drafting/events.ts";
import { checkAssetId } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { readDraftEvent } from "../../orchestration/drafting/draft-record.ts";
import { makeDemoInputs, writeDemoScript } from "../../orchestration/episodes/demo-episode.ts";
import { episodeRunEndings } from "../../orchestration/episodes/episode-project.ts";
import type { AssetRequest } from "../../orchestration/episodes/freeze-asset.ts";
import { loadSettings } from "../../orchestration/episodes/load-episode.ts";
import {
  ensureState,
  planReview,
  type ReviewedAsset,
  reviewedAsset,
  startReview,
} from "../../orchestration/episodes/review-episode.ts";
import { restartAsset } from "../../orchestration/episodes/rule-on-asset.ts";
import type { StoredEvent } from "../../ports/journal.ts";
import { authorOf } from "../../wiring/author.ts";
import { type ModelFlags, modelsOf, scriptModel } from "../../wiring/episode-models.ts";
import {
  createWorkspace,
  episodeProject,
  freeDemoPath,
  hasWorkspace,
  type OpenedWorkspace,
  openWorkspace,
} from "../../wiring/episode-workspace.ts";
import { workspaceLock } from "../../wiring/episodes.ts";
import { loadRecipe } from "../../wiring/recipes.ts";
import { clockOf } from "../../wiring/system-clock.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCode, exitCodeOfEnding, worstExitCode } from "../exit-code.ts";
import { renderReview, reviewView } from "../render/episode-review.ts";
import { printLines } from "../terminal/screen.ts";
import { AssetLines } from "./episode-progress.ts";
import { pathOf, type WorkspaceFlags } from "./episode-setup.ts";
import { type FollowFlags, type Work, workInProject } from "./follow-run.ts";

export interface ReviewFlags extends WorkspaceFlags, ModelFlags, FollowFlags {
  readonly assetId?: string;
  readonly all?: boolean;
  readonly maxIterations?: number;
  readonly fakeRunner?: boolean;
  readonly restart?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly runId?: string;
}

export async function reviewCommand(cli: CliContext, flags: ReviewFlags): Promise<void> {
  const assetIds = assetIdsOf(flags);
  const { reason } = flags;
  if (flags.restart === true && (reason === undefined || reason.trim() === "")) {
    throw wrongFlags('--restart needs --reason "…".');
  }
  const workspace = await workspaceOf(cli, flags);
  const requests = await requestsOf(cli, flags, { workspace, assetIds });
  const at = clockOf(cli.environment).now();
  const first = flags.restart === true ? undefined : await planReview(workspace, requests, at);
  if (first?.jobs.length === 0) {
    const ended = [];
    for (const assetId of assetIds) {
      ended.push(await reviewedAsset(workspace, assetId, { isUnchanged: true }));
    }
    return conclude(cli, flags, { workspace, results: ended });
  }
  const several = assetIds.length > 1;
  const about = {
    project: { root: workspace.root, workspace: workspace.folder.root },
    flags,
    readEvent: withoutBrief,
    ...(several ? { observer: new AssetLines(cli, flags) } : {}),
  };
  await workInProject(cli, about, (work) =>
    runReview(cli, { flags, workspace, requests, at, work }),
  );
}

interface Review {
  readonly flags: ReviewFlags;
  readonly workspace: OpenedWorkspace;
  readonly requests: readonly AssetRequest[];
  readonly at: Instant;
  readonly work: Work;
}

async function runReview(cli: CliContext, review: Review): Promise<void> {
  const { flags, workspace, requests, at } = review;
  const { project, say, seen } = review.work;
  const home = episodeProject(project);
  await prepare(cli, review);
  const plan = await planReview(workspace, requests, at);
  const { run, continued } = await startReview(home, plan, flags.runId);
  if (continued) say(`Going on with run ${run}, which was not finished.`);
  const ending = await project.engine.ending(run, new AbortController().signal);
  seen();
  const endings = await episodeRunEndings(home, run, ending);
  const results: ReviewedAsset[] = [];
  for (const { assetId } of requests) {
    const own = endings.get(assetId);
    const isUnchanged = plan.ended.some((one) => one.assetId === assetId);
    const about = { isUnchanged, ...(own === undefined ? {} : { ending: own }) };
    results.push(await reviewedAsset(workspace, assetId, about));
  }
  conclude(cli, flags, { workspace, results, run });
}

/** What has to be on disk before anything is frozen from it. */
async function prepare(cli: CliContext, review: Review): Promise<void> {
  const { flags, workspace, requests, at, work } = review;
  const { folder } = workspace;
  const lock = workspaceLock(work.project.store);
  await folder.sweep();
  await ensureState(workspace, lock, at);
  if (flags.restart === true) {
    const { by } = await authorOf({ ...cli, cwd: folder.root }, flags);
    const ruling = { by, at, reason: flags.reason ?? "" };
    const home = episodeProject(work.project);
    for (const { assetId } of requests) {
      await restartAsset(home, workspace, { assetId, ruling, lock });
    }
  }
  if (!usesDemoScript(flags)) return;
  for (const { assetId } of requests) await writeDemoScript(folder, assetId);
}

/** The brief of an episode is long, and its words are in the workspace. */
function withoutBrief(stored: StoredEvent): DraftEvent | undefined {
  const event = readDraftEvent(stored);
  return event?.kind === "loop-started" ? { ...event, brief: "the episode's own" } : event;
}

function conclude(
  cli: CliContext,
  flags: ReviewFlags,
  done: {
    readonly workspace: OpenedWorkspace;
    readonly results: readonly ReviewedAsset[];
    readonly run?: string;
  },
): void {
  const { workspace, results, run } = done;
  cli.end(worstExitCode(results.map(codeOf)));
  const view: EpisodeReviewView = {
    workspace: relative(cli.cwd, workspace.folder.root) || ".",
    ...(run === undefined ? {} : { runId: run }),
    standIn: results.some(({ isStandIn }) => isStandIn),
    assets: results.map(reviewView),
  };
  if (flags.json === true) {
    cli.screen.out.write(`${JSON.stringify(episodeReviewToJson(view), undefined, 2)}\n`);
    return;
  }
  printLines(cli.screen.out, renderReview(view, cli.layoutOf(cli.screen.out)));
}

function codeOf({ decision, ending }: ReviewedAsset): ExitCode {
  if (decision?.outcome === "converged") return exitCode.accepted;
  if (decision?.outcome === "needs_human") return exitCode.notAccepted;
  return ending === undefined ? exitCode.outside : exitCodeOfEnding(ending);
}

function assetIdsOf({ assetId, all, fakeRunner }: ReviewFlags): readonly string[] {
  if (all === true && assetId !== undefined)
    throw wrongFlags("Give --asset-id or --all, not both.");
  if (all === true) return assetKinds;
  if (assetId === undefined && fakeRunner !== true) {
    throw wrongFlags("Say which text to review: --asset-id ASSET, or --all.");
  }
  const id = assetId ?? "description";
  checkAssetId(id);
  return [id];
}

/** With `--fake-runner` a workspace is made where there is none, so that a newcomer sees a loop at once. */
async function workspaceOf(cli: CliContext, flags: ReviewFlags): Promise<OpenedWorkspace> {
  const { environment } = cli;
  if (flags.fakeRunner !== true || flags.workspace !== undefined || (await hasWorkspace(cli.cwd))) {
    return openWorkspace({ ...cli, ...pathOf(flags) });
  }
  const path = freeDemoPath(cli.cwd);
  await createWorkspace(path, { episodeId: "demo_ep_001", environment });
  const workspace = await openWorkspace({ ...cli, workspace: path });
  await makeDemoInputs(workspace.folder, clockOf(environment).now());
  return workspace;
}

async function requestsOf(
  cli: CliContext,
  flags: ReviewFlags,
  about: { readonly workspace: OpenedWorkspace; readonly assetIds: readonly string[] },
): Promise<readonly AssetRequest[]> {
  const { workspace, assetIds } = about;
  const { root, folder } = workspace;
  const { maxIterations } = flags;
  const settings = await loadSettings(folder);
  const roles = ["creator", "reviewer"] as const;
  const chosen = usesDemoScript(flags)
    ? undefined
    : modelsOf(flags, { ...cli, root, settings, roles });
  const requests: AssetRequest[] = [];
  for (const assetId of assetIds) {
    const script = scriptModel(root, join(folder.root, layout.provenance("scripts", assetId)));
    const { writer, reviewer } = chosen ?? { writer: script, reviewer: script };
    const label = flags.fakeRunner === true ? { label: "reviewer_a" } : {};
    requests.push({
      assetId,
      recipe: await loadRecipe(assetId, root),
      writer,
      reviewers: [{ ...label, model: reviewer }],
      ...(maxIterations === undefined ? {} : { maxIterations }),
    });
  }
  return requests;
}

function usesDemoScript({ fakeRunner, script }: ReviewFlags): boolean {
  return fakeRunner === true && script === undefined;
}

function wrongFlags(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "flag-invalid" });
}
