import { checkAssetId } from "../../domain/episodes/asset.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import type { Json } from "../../domain/values/json.ts";
import { planDrafts } from "../../orchestration/episodes/draft-episode.ts";
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
import { invalidFlag } from "../shell/flag-values.ts";
import type { Span } from "../shell/lay-out.ts";
import { printFailure, printResult } from "../shell/print.ts";
import { muted } from "../shell/styles.ts";
import { withProject } from "../shell/with-project.ts";
import { type EpisodeModelFlags, type EpisodeModels, modelsOfEpisode } from "./episode-models.ts";
import { type WorkspaceFlags, workspaceFor } from "./episode-setup.ts";

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
  await withProject(cli, { ...models.access, flags }, async ({ project, say }) => {
    await folder.sweep();
    const of = plan.known === 0 ? "" : ` (${plan.known} known)`;
    say(`Summarizing ${renderCount(plan.chunks, "chunk")}${of} with ${model}.`);
    const job = { ...plan.job, budget: models.budget };
    const { run } = await submitEpisodeJob(episodeProject(project), job, flags.runId);
    const ending = await project.engine.ending(run, new AbortController().signal);
    cli.end(exitCodeOfEnding(ending));
    printFailure(cli, ending);
    const json: Json = { chunks: plan.chunks, unchanged: false, run_id: run, ending: ending.kind };
    const isDone = ending.kind === "finished";
    printResult(cli, flags, json, [
      isDone ? "Summary: summaries/episode/episode_summary.md" : notFinished(run),
      isDone && next("episode draft"),
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
  if (flags.candidates < 1) {
    throw invalidFlag("--candidates must be at least 1.");
  }
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
  if (first.jobs.length === 0) return printDrafts(cli, flags, { ...first, drafted: [] });
  await models.check(planned.flatMap(({ uses }) => uses));
  await withProject(cli, { ...models.access, flags }, async ({ project, say }) => {
    await folder.sweep();
    await ensureState(workspace, workspaceLock(project), how.at);
    const plan = await planDrafts(workspace, requests, how);
    say(`Drafting ${renderCount(plan.jobs.length, "text")} with ${models.writer.model}.`);
    const together = { ...plan, budget: models.budget };
    const { run } = await startTogether(episodeProject(project), together, flags.runId);
    const ending = await project.engine.ending(run, new AbortController().signal);
    cli.end(exitCodeOfEnding(ending));
    printFailure(cli, ending);
    if (ending.kind === "finished") {
      printDrafts(cli, flags, { ...plan, drafted: plan.assetIds });
    } else {
      const json = { drafted: [], run_id: run, ending: ending.kind };
      printResult(cli, flags, json, notFinished(run));
    }
  });
}

function printDrafts(
  cli: CliContext,
  flags: DraftAssetsFlags,
  done: {
    readonly drafted: readonly string[];
    readonly skipped: readonly { readonly assetId: string; readonly why: "drafted" | "locked" }[];
  },
): void {
  const { drafted, skipped } = done;
  const json: Json = {
    drafted,
    candidates: flags.candidates,
    skipped: skipped.map(({ assetId, why }) => ({ asset_id: assetId, why })),
  };
  const lines = [
    drafted.length > 0 &&
      `Drafted: ${drafted.join(", ")} (${renderCount(flags.candidates, "candidate")} each)`,
    ...skipped.map(({ assetId, why }) =>
      why === "locked"
        ? `${assetId}: selected and locked, left alone`
        : `${assetId}: already drafted (--new writes more)`,
    ),
  ];
  printResult(cli, flags, json, [...lines, next("episode review --all")]);
}

function notFinished(run: string): string {
  return `Not finished (run ${run}); run the same command to resume.`;
}

function next(command: string): Span {
  return muted(`Next: signoff ${command}`);
}
