import { type RunId, runId } from "../../domain/values/ids.ts";
import { isOver } from "../../domain/values/is-over.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Ending, Job } from "../../ports/flow.ts";
import type { Repos } from "../../ports/repos.ts";
import type { Holder, RunRecord, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { type BegunRun, beginRun } from "../runs/begin-run.ts";
import { assetsKind } from "./episode-kinds.ts";
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
 * Starts the job, or continues the unfinished run of the same id with its frozen input, because that run wrote part of
 * the present files. If that job has ended, the next attempt is a new job, and the new run keeps the requested name. A
 * run that another process has finished since this job was frozen counts as the requested work.
 */
export async function submitEpisodeJob(
  project: EpisodeProject,
  job: Job,
  run: string = project.newId(),
): Promise<BegunRun> {
  // A run of this name that does the same work has another input once it has changed the files.
  const named = await project.store.runs.load(runId(run));
  const isSame = named !== undefined && `${named.job.id}/`.startsWith(`${job.id}/`);
  return beginRun(project.engine, {
    run: runId(run),
    found: isSame ? named.run : undefined,
    jobOf: (attempt) => (attempt === 1 ? job : { ...job, id: `${job.id}/${attempt}` }),
    async isWanted(other) {
      const record = await project.store.runs.load(other);
      if (record === undefined || !isOver(record)) return record !== undefined;
      return record.state === "finished" && record.updatedAt > job.createdAt;
    },
  });
}

/** Runs of this job that have not come to an end, whatever attempt they are. */
export function unfinishedRuns(
  project: Pick<EpisodeProject, "store">,
  kind: string,
  jobId: string,
): Promise<readonly RunRecord[]> {
  const states = ["running", "queued", "waiting", "stopped", "failed"] as const;
  return runsOf(project, { kind, jobId, states });
}

/** The job under an id that no cancelled run has, for work that runs as a part of another run. */
export async function unlessCancelled(
  project: Pick<EpisodeProject, "store">,
  job: Job,
): Promise<Job> {
  const about = { kind: job.kind, jobId: job.id, states: ["cancelled"] as const };
  const { length } = await runsOf(project, about);
  return length === 0 ? job : { ...job, id: `${job.id}/${length + 1}` };
}

async function runsOf(
  { store }: Pick<EpisodeProject, "store">,
  about: {
    readonly kind: string;
    readonly jobId: string;
    readonly states: readonly RunRecord["state"][];
  },
): Promise<readonly RunRecord[]> {
  const { kind, jobId, states } = about;
  const summaries = await store.read(async ({ runs }) => {
    const found = [];
    for (const state of states) found.push(...(await runs.list({ limit: 10_000, kind, state })));
    return found;
  });
  const records: RunRecord[] = [];
  for (const { run } of summaries) {
    const record = await store.runs.load(run);
    if (record !== undefined && `${record.job.id}/`.startsWith(`${jobId}/`)) records.push(record);
  }
  return records;
}

/** The jobs of several texts that one run works on, else the job itself. */
export function partsOf(job: Job): readonly Job[] {
  return job.kind === assetsKind ? (job.input as unknown as { jobs: readonly Job[] }).jobs : [job];
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
  const jobs = record === undefined ? [] : partsOf(record.job);
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
