import type { RunId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Ending, Job } from "../../ports/flow.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Holder, RunRecord, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import type { WorkspaceLock } from "./episode-state.ts";

/** What commands on episodes need of the project around the workspace. */
export interface EpisodeProject {
  readonly engine: Engine;
  readonly store: Store<Repos> & { readonly runs: RunStore };
  readonly lock: WorkspaceLock;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The process that held a run is gone. */
  readonly isDead: (holder: Holder) => boolean;
}

/**
 * Starts the job, or goes on with the unfinished one of the same id and its frozen input: what is on disk now was
 * partly written by it. A job that is over is not taken for new work; the next attempt is a job of its own, and the
 * run keeps the name it was asked for by. One that another process has finished since this job was frozen is the
 * work that was asked for.
 */
export async function submitEpisodeJob(
  project: EpisodeProject,
  job: Job,
  run: string = project.newId(),
): Promise<{ readonly run: RunId; readonly continued: boolean }> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const id = attempt === 1 ? job.id : `${job.id}/${attempt}`;
    const submitted = await project.engine.submit({ ...job, id }, { run: run as RunId });
    if (submitted === run) return { run: submitted, continued: false };
    const record = await project.store.runs.load(submitted);
    const isOwn = record !== undefined && (!isOver(record) || isNews(record, job));
    if (isOwn) return { run: submitted, continued: true };
  }
  throw new WorkflowError(`There are too many attempts of ${job.id}.`, { code: "attempts-spent" });
}

const mostAttempts = 10_000;

/** Runs of these jobs that have not come to an end, whatever attempt they are. */
export async function unfinishedRuns(
  { store }: Pick<EpisodeProject, "store">,
  kind: string,
  jobId: string,
): Promise<readonly RunRecord[]> {
  const states = ["running", "queued", "waiting", "stopped", "failed"] as const;
  const summaries = await store.read(async ({ runs }) => {
    const found = [];
    for (const state of states) found.push(...(await runs.list({ limit: 10_000, kind, state })));
    return found;
  });
  const records: RunRecord[] = [];
  for (const { run } of summaries) {
    const record = await store.runs.load(run);
    if (record !== undefined && isAttemptOf(record.job.id, jobId)) records.push(record);
  }
  return records;
}

/** How each asset's own run ended: of one loop, or of the children of one run. */
export async function episodeRunEndings(
  { store }: Pick<EpisodeProject, "store">,
  run: RunId,
  ending: Ending,
): Promise<ReadonlyMap<string, Ending>> {
  const record = await store.runs.load(run);
  const own = record === undefined ? undefined : assetIdOf(record.job);
  if (own !== undefined) return new Map([[own, ending]]);
  const { jobs } = (record?.job.input ?? { jobs: [] }) as unknown as { jobs: readonly Job[] };
  const byJob = new Map<string, Ending | undefined>();
  for (const { run: part } of await store.runs.listChildren(run)) {
    const child = await store.runs.load(part);
    if (child !== undefined) byJob.set(child.job.id, child.ending);
  }
  return new Map(
    jobs.flatMap((job) => {
      const assetId = assetIdOf(job);
      return assetId === undefined ? [] : [[assetId, byJob.get(job.id) ?? ending] as const];
    }),
  );
}

function assetIdOf({ input }: Job): string | undefined {
  const { draft } = input as { readonly draft?: { readonly asset_id?: string } };
  return draft?.asset_id;
}

function isAttemptOf(id: string, jobId: string): boolean {
  return id === jobId || id.startsWith(`${jobId}/`);
}

function isNews({ state, updatedAt }: RunRecord, { createdAt }: Job): boolean {
  return state === "finished" && updatedAt > createdAt;
}

function isOver({ state }: RunRecord): boolean {
  return state === "finished" || state === "cancelled";
}
