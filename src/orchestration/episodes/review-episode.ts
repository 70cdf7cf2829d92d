import { isLocked } from "../../domain/drafting/decision.ts";
import type { AssetStatus } from "../../domain/episodes/asset-status.ts";
import type { Json } from "../../domain/values/json.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Budget, Ending, Job } from "../../ports/flow.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { BegunRun } from "../runs/begin-run.ts";
import { assetsKind } from "./episode-kinds.ts";
import { loadMaterial } from "./episode-material.ts";
import {
  type EpisodeProject,
  submitEpisodeJob,
  unfinishedRuns,
  unlessCancelled,
} from "./episode-project.ts";
import { episodeRunOf } from "./episode-run.ts";
import { currentState, stateFile, type WorkspaceLock } from "./episode-state.ts";
import {
  type AssetRequest,
  assetStanding,
  type FrozenReview,
  freezeReview,
  type Workspace,
} from "./freeze-asset.ts";
import { loadEpisodeSettings, loadState } from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

/** What a review will do: the loops to run, and those that are decided already. */
export interface PlannedReview {
  readonly ended: readonly Extract<FrozenReview, { kind: "ended" }>[];
  readonly jobs: readonly Job[];
  /** Of `jobs`, in their order. */
  readonly assetIds: readonly string[];
  /** Of everything asked for, ended or not: asking again finds the same work. */
  readonly jobIds: readonly string[];
  /** There is no summary, and texts are written from the beginning of the transcript alone. */
  readonly isBeginningOnly: boolean;
}

/**
 * Freezes the loops of these assets from the files. Nothing is written, so a workspace where everything is decided is
 * only read. All requests are checked before the first loop starts.
 */
export async function planReview(
  workspace: Workspace,
  requests: readonly AssetRequest[],
  at: Job["createdAt"],
): Promise<PlannedReview> {
  const material = await loadMaterial(workspace);
  const frozen: FrozenReview[] = [];
  for (const request of requests) {
    frozen.push(await freezeReview(workspace, material, { ...request, at }));
  }
  return {
    ended: frozen.filter((one) => one.kind === "ended"),
    jobs: frozen.flatMap((one) => (one.kind === "job" ? [one.job] : [])),
    assetIds: frozen.flatMap((one) => (one.kind === "job" ? [one.assetId] : [])),
    jobIds: frozen.map(({ jobId }) => jobId),
    isBeginningOnly: material.isBeginningOnly,
  };
}

/** A workspace of the other program may have no `state.json` yet; names of jobs depend on it. */
export async function ensureState(
  { folder }: Workspace,
  lock: WorkspaceLock,
  at: Job["createdAt"],
): Promise<void> {
  if ((await folder.read("state.json")) !== undefined) return;
  await lock(async () => {
    if ((await folder.read("state.json")) !== undefined) return;
    await folder.write([stateFile(await currentState(folder, at))]);
  });
}

interface Started {
  readonly budget: Budget;
  /** Kept with the run where it is not one of its parts alone. */
  readonly settings?: Json;
}

/** A single loop is its own run; several run concurrently as children of one run. */
export async function startReview(
  project: EpisodeProject,
  plan: Pick<PlannedReview, "jobs" | "jobIds"> &
    Started & {
      /** The limit that was asked for by name. */
      readonly maxIterations?: number;
      /** Models were asked for by name; they replace those of a run that failed. */
      readonly hasNamedModels?: boolean;
    },
  run?: string,
): Promise<BegunRun & { readonly replaced: readonly RunRecord[] }> {
  const { jobs, jobIds, budget, settings, maxIterations, hasNamedModels = false } = plan;
  const [first] = jobs;
  if (first === undefined) throw new Error("there is nothing to do");
  const job = jobIds.length === 1 ? first : together(jobs, jobIds);
  if (maxIterations !== undefined) await refuseOtherLimit(project, job, maxIterations);
  const parts = jobs.includes(job) ? [] : jobs;
  const replaced = hasNamedModels ? await replaceOtherModels(project, [job, ...parts]) : [];
  const free: Job[] = [];
  for (const part of parts) free.push(await unlessCancelled(project, part));
  const work = parts.length === 0 ? job : together(free, jobIds);
  const submitted = { ...work, budget, ...(settings && { settings }) };
  return { ...(await submitEpisodeJob(project, submitted, run)), replaced };
}

/** An unfinished run resumes with its frozen input, so another limit would be ignored. */
async function refuseOtherLimit(project: EpisodeProject, job: Job, limit: number): Promise<void> {
  for (const record of await unfinishedRuns(project, job.kind, job.id)) {
    const frozen = episodeRunOf(record.job)?.maxIterations.find((one) => one !== limit);
    if (frozen === undefined) continue;
    throw new ConfigurationError(
      `Run ${record.run} is not finished and was started with at most ${frozen} iterations, not ${limit}.`,
      {
        code: "max-iterations",
        facts: { run: record.run, limit, begun: frozen },
        hint: "Omit --max-iterations to resume it; `signoff episode unlock` gives more once it has ended.",
      },
    );
  }
}

/**
 * A run that failed or was stopped with other models gives way: its iterations are in the files, where the new run
 * continues. One that waits for a person, or that another process works on, keeps its models.
 */
async function replaceOtherModels(
  project: EpisodeProject,
  /** The run that is asked for, then its parts. */
  jobs: readonly Job[],
): Promise<readonly RunRecord[]> {
  const replaced: RunRecord[] = [];
  const [first] = jobs;
  for (const job of jobs) {
    const asked = episodeRunOf(job)?.models ?? [];
    for (const record of await unfinishedRuns(project, job.kind, job.id)) {
      const others = otherModels(record, asked);
      if (others.length === 0) continue;
      const isKept = keepsWorking(project, record);
      if (isKept && job === first) throw keepsItsModels(record, others);
      // Of several texts the others are worked on, and this one reports for itself.
      if (isKept) continue;
      await project.engine.cancel(record.run, `Replaced by a run with ${asked.join(" and ")}.`);
      replaced.push(record);
    }
  }
  return replaced;
}

function otherModels({ job }: RunRecord, asked: readonly string[]): readonly string[] {
  const begun = episodeRunOf(job)?.models ?? [];
  return [...new Set(begun.filter((model) => !asked.includes(model)))];
}

function keepsWorking({ isDead }: EpisodeProject, { state, holder }: RunRecord): boolean {
  return state === "waiting" || (holder !== undefined && !isDead(holder));
}

function keepsItsModels({ run, state }: RunRecord, models: readonly string[]): ConfigurationError {
  const why = state === "waiting" ? "waits for an answer" : "is being worked on";
  return new ConfigurationError(`Run ${run} ${why} and was started with ${models.join(" and ")}.`, {
    code: "other-models",
    facts: { run, begun: models },
    hint: "Omit the models to continue it, or cancel it with `signoff runs cancel` first.",
  });
}

/** Starts every planned job; for work that has no earlier decisions. */
export function startTogether(
  project: EpisodeProject,
  plan: { readonly jobs: readonly Job[] } & Started,
  run?: string,
): Promise<BegunRun> {
  return startReview(project, { ...plan, jobIds: plan.jobs.map(({ id }) => id) }, run);
}

/** The same assets in the same generations are the same job, however often it is asked for. */
function together(jobs: readonly Job[], jobIds: readonly string[]): Job {
  return {
    id: `${assetsKind}/${sha256Digest([...jobIds].sort().join("\n")).slice(0, 32)}`,
    kind: assetsKind,
    input: { jobs } as unknown as Json,
    settings: {},
    createdAt: (jobs[0] as Job).createdAt,
  };
}

/** Of these texts, those that a review would work on. With `--all`, what a person picked is left alone as well. */
export async function openTexts(
  { folder }: Workspace,
  assetIds: readonly string[],
  { isAll }: { readonly isAll: boolean },
): Promise<{ readonly unpicked: readonly string[]; readonly undecided: readonly string[] }> {
  await loadEpisodeSettings(folder);
  const state = await loadState(folder);
  const unpicked: string[] = [];
  const undecided: string[] = [];
  for (const assetId of assetIds) {
    const standing = await assetStanding(folder, assetId, state);
    const { record, isSelectionRecorded, isTextLocked, protocol } = standing;
    const isPicked = record?.madeBy === "person" && isSelectionRecorded && isTextLocked;
    if (isAll && isPicked) continue;
    unpicked.push(assetId);
    if (!isLocked(protocol?.decision)) undecided.push(assetId);
  }
  return { unpicked, undecided };
}

/** A text after `episode review`. */
export interface ReviewedAsset {
  readonly status: AssetStatus;
  /** It was decided before; nothing was done. */
  readonly isUnchanged: boolean;
  /** How its run ended, where it did not come to a decision. */
  readonly ending?: Ending;
}
