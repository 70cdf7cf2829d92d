import { checkAssetId } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { isObject, type Json } from "../../domain/values/json.ts";
import { type PlannedDrafts, planDrafts } from "../../orchestration/episodes/draft-episode.ts";
import { submitEpisodeJob } from "../../orchestration/episodes/episode-project.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import { ensureState, startTogether } from "../../orchestration/episodes/review-episode.ts";
import { planSummary } from "../../orchestration/episodes/summarize-episode.ts";
import { episodeProject } from "../../wiring/features/episode-workspace.ts";
import { workspaceLock } from "../../wiring/features/episodes.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { renderCount } from "../shell/amounts.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { exitCodeOfEnding } from "../shell/exit-code.ts";
import type { Line } from "../shell/lay-out.ts";
import { printErr, printFailure, printResult } from "../shell/print.ts";
import { isQuiet } from "../shell/quiet-flags.ts";
import { caution } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { type EpisodeModelFlags, type EpisodeModels, modelsOfEpisode } from "./episode-models.ts";
import { EpisodeProgress } from "./episode-progress.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";
import { commandLine, nextLine, type TypedHere, typedHere } from "./typed-here.ts";

export interface SummarizeFlags extends WorkspaceFlags, EpisodeModelFlags {
  readonly quiet?: boolean;
  readonly runId?: string;
}

export interface DraftAssetsFlags extends SummarizeFlags {
  readonly assetId?: readonly string[];
  readonly candidates: number;
  readonly new?: boolean;
}

export async function summarizeCommand(cli: CliContext, flags: SummarizeFlags): Promise<void> {
  const models = await draftersOf(cli, flags);
  const { workspace } = models;
  const { folder } = workspace;
  const { model } = models.writer;
  const plan = await planSummary(workspace, { model, at: clockOf(cli.environment).now() });
  if (plan.kind === "fresh") {
    const text = `Summaries of ${renderCount(plan.chunks, "chunk")} are up to date.`;
    return printResult(cli, flags, { chunks: plan.chunks, unchanged: true }, text);
  }
  await models.check([models.writer]);
  const typed = await typedHere(cli, workspace);
  const display = new EpisodeProgress(cli, flags, plan.chunks - plan.known + 1);
  await withProject(cli, { ...models.access, flags, display }, async (opened) => {
    const { project, say } = opened;
    await folder.sweep();
    const of = plan.known === 0 ? "" : ` (${plan.known} known)`;
    say(`Summarizing ${renderCount(plan.chunks, "chunk")}${of} with ${model}.`);
    const job = { ...plan.job, budget: models.budget };
    const { run } = await submitEpisodeJob(episodeProject(project), job, flags.runId);
    const ending = await project.engine.ending(run, new AbortController().signal);
    opened.closeDisplay();
    cli.end(exitCodeOfEnding(ending));
    printFailure(cli, ending);
    const json: Json = { chunks: plan.chunks, unchanged: false, run_id: run, ending: ending.kind };
    const isDone = ending.kind === "finished";
    printResult(cli, flags, json, [
      isDone ? "Summary: summaries/episode/episode_summary.md" : notFinished(run),
      isDone && nextLine(typed("episode draft")),
    ]);
  });
}

/** The models and settings for commands that write and do not review. */
async function draftersOf(cli: CliContext, flags: SummarizeFlags): Promise<EpisodeModels> {
  const workspace = await workspaceFor(cli, flags);
  const settings = await loadEpisodeSettings(workspace.folder);
  return modelsOfEpisode(cli, flags, { workspace, settings, writes: "drafter" });
}

export async function draftCommand(cli: CliContext, flags: DraftAssetsFlags): Promise<void> {
  const assetIds = new Set(flags.assetId ?? assetKinds);
  for (const assetId of assetIds) checkAssetId(assetId);
  const models = await draftersOf(cli, flags);
  const { workspace } = models;
  const { folder } = workspace;
  const { candidates } = flags;
  const planned = await Promise.all(
    [...assetIds].map((assetId) => models.plan({ assetId, candidates, isFirstDraft: true })),
  );
  const requests = planned.map(({ request }) => ({ ...request, candidates }));
  const how = { at: clockOf(cli.environment).now(), anew: flags.new === true };
  const first = await planDrafts(workspace, requests, how);
  const typed = await typedHere(cli, workspace);
  if (first.jobs.length === 0) return printDrafts(cli, flags, { ...first, drafted: [], typed });
  await models.check(planned.flatMap(({ uses }) => uses));
  const display = new EpisodeProgress(cli, flags, first.jobs.length * candidates);
  await withProject(cli, { ...models.access, flags, display }, async (opened) => {
    const { project, say } = opened;
    await folder.sweep();
    await ensureState(workspace, workspaceLock(project), how.at);
    const plan = await planDrafts(workspace, requests, how);
    if (plan.isBeginningOnly && !isQuiet(flags)) printErr(cli, withoutSummary(typed));
    say(`Drafting ${renderCount(plan.jobs.length, "text")} with ${models.writer.model}.`);
    const together = { ...plan, budget: models.budget };
    const { run } = await startTogether(episodeProject(project), together, flags.runId);
    const ending = await project.engine.ending(run, new AbortController().signal);
    opened.closeDisplay();
    cli.end(exitCodeOfEnding(ending));
    printFailure(cli, ending);
    if (ending.kind === "finished") {
      printDrafts(cli, flags, { ...plan, drafted: draftsIn(ending.result), typed });
    } else {
      const json = { drafted: [], run_id: run, ending: ending.kind };
      printResult(cli, flags, json, notFinished(run));
    }
  });
}

interface Drafted {
  readonly assetId: string;
  readonly candidates: number;
  /** The same as another draft of the text. */
  readonly dropped: number;
}

/** What the drafts of one text, or of several side by side, reported. */
function draftsIn(result: Json): readonly Drafted[] {
  if (!isObject(result)) return [];
  const { endings, asset_id: assetId, candidates, dropped } = result;
  if (Array.isArray(endings)) {
    return endings.flatMap((one) => (isObject(one) ? draftsIn(one.result ?? null) : []));
  }
  if (typeof assetId !== "string") return [];
  return [{ assetId, candidates: Number(candidates), dropped: Number(dropped) }];
}

function printDrafts(
  cli: CliContext,
  flags: DraftAssetsFlags,
  done: Pick<PlannedDrafts, "skipped" | "isBeginningOnly"> & {
    readonly drafted: readonly Drafted[];
    readonly typed: TypedHere;
  },
): void {
  const { drafted, skipped, isBeginningOnly, typed } = done;
  const json: Json = {
    drafted: drafted.map(({ assetId }) => assetId),
    candidates: flags.candidates,
    dropped: drafted.reduce((sum, one) => sum + one.dropped, 0),
    is_beginning_only: isBeginningOnly,
    skipped: skipped.map(({ assetId, why }) => ({ asset_id: assetId, why })),
  };
  const whole = drafted.filter(({ dropped }) => dropped === 0).map(({ assetId }) => assetId);
  const lines = [
    whole.length > 0 &&
      `Drafted: ${whole.join(", ")} (${renderCount(flags.candidates, "candidate")} each)`,
    ...drafted
      .filter(({ dropped }) => dropped > 0)
      .map(
        ({ assetId, candidates, dropped }) =>
          `${assetId}: ${renderCount(candidates, "candidate")}; ${renderCount(dropped, "draft")} dropped, the same as another`,
      ),
    ...skipped.map(({ assetId, why }) =>
      why === "locked"
        ? `${assetId}: selected and locked, left alone`
        : `${assetId}: already drafted (--new writes more)`,
    ),
  ];
  printResult(cli, flags, json, [...lines, nextLine(typed("episode review --all"))]);
}

/** A text that knows only the first minutes of an episode must not look as if it knew all of it. */
export function withoutSummary(typed: TypedHere): readonly Line[] {
  return [
    caution(
      "There is no summary of the episode, so only the first 4,000 characters of the transcript are used. To use all of it, first run:",
    ),
    commandLine(typed("episode chunk")),
    commandLine(typed("episode summarize")),
  ];
}

function notFinished(run: string): string {
  return `Not finished (run ${run}); run the same command to resume.`;
}
