import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Elsewhere } from "../../adapters/engines/elsewhere.ts";
import {
  changedRunsOf,
  FileProjection,
  type ProjectionProgress,
} from "../../adapters/engines/queue/file-projection.ts";
import { type ClusterPool, openClusterPool } from "../../adapters/engines/queue/open-pool.ts";
import { RunChanges } from "../../adapters/engines/queue/run-changes.ts";
import { listWorkers, quotedSchema } from "../../adapters/engines/queue/worker-registry.ts";
import { writeFilesAtomically } from "../../adapters/workspace/atomic-files.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { Observer } from "../../ports/observer.ts";
import type { RunRecord, RunStore } from "../../ports/run-store.ts";
import { placesOf } from "../features/all-features.ts";
import type { Feature } from "../features/feature.ts";
import { assistantTask, taskOfJob } from "./task-of-job.ts";

export interface HomeParts {
  readonly root: string;
  readonly url: string;
  /** The schema of the project. */
  readonly project: string;
  readonly runs: RunStore;
  readonly features: readonly Feature[];
  /** Absent: no assistant is asked elsewhere. */
  readonly settings?: Settings;
  readonly clock: Clock;
  readonly exclusively: Exclusively;
  readonly observer: Observer;
  readonly report: (sentence: string) => void;
}

/** What a process with the project's folder does about runs that workers execute. */
export interface Home extends Elsewhere {
  readonly files: FileProjection;
  /** Queued runs that none of the running workers may take: how many, and the oldest of them. */
  unclaimed(): Promise<{ readonly count: number; readonly runs: readonly RunId[] }>;
  /** Shows what happens to every run, and writes its files as it goes; for a process that stays. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

export async function openHome(parts: HomeParts): Promise<Home> {
  const { url, project, runs, features, settings, clock, observer, report } = parts;
  const cluster = await openClusterPool(url, 2);
  const places = placesOf(features);
  const files = filesOf(parts, cluster);
  const { connect, pool } = cluster;
  const offered = async (): Promise<ReadonlySet<string>> => {
    const workers = await listWorkers(pool);
    return new Set(workers.flatMap(({ tasks, isAlive }) => (isAlive ? tasks : [])));
  };
  let hasLooked = false;
  const sayIfAlone = async ({ task = "" }: Pick<RunRecord, "task">): Promise<void> => {
    if (hasLooked) return;
    hasLooked = true;
    const tasks = await offered();
    if (tasks.size === 0) report(noWorker);
    else if (!tasks.has(task)) report(noSuchWorker);
  };
  // Without a worker that may ask the assistant, this process asks it.
  const atStart = await offered();
  const taskAt = (address: string): string | undefined => {
    const task = settings && assistantTask(settings, address);
    return task !== undefined && atStart.has(task) ? task : undefined;
  };
  const soon = new Soon(() => files.catchUp());
  const changes: RunChanges = new RunChanges({
    ...{ project, connect, store: runs, clock, observer },
    heard: () => soon.ask(),
  });
  return {
    files,
    taskOf: (job) => taskOfJob(job, { places, assistantTask: taskAt }),
    async changed(run, signal) {
      await changes.changed(run, signal);
      if (run.state === "queued") await sayIfAlone(run);
    },
    async ended(run) {
      await changes.ended(run);
      await files.catchUp();
    },
    async unclaimed() {
      const { rows } = await pool.query<{ run: RunId; count: number }>(
        `SELECT run, count(*) OVER ()::int AS count FROM ${quotedSchema(project)}.runs
         WHERE state = 'queued' AND task IS NOT NULL AND task <> ALL ($1)
         ORDER BY created_at, run LIMIT $2`,
        [[...(await offered())], mostNamed],
      );
      return { count: rows[0]?.count ?? 0, runs: rows.map(({ run }) => run) };
    },
    async watch() {
      await changes.listenToAll();
      soon.begin();
    },
    async close() {
      await soon.end();
      await changes.close();
      await cluster.pool.end();
    },
  };
}

const soonMillis = 300;

/** Does something soon after it was asked for, once for all who asked meanwhile, and never twice at the same time. */
class Soon {
  readonly #work: () => Promise<unknown>;
  #isOn = false;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<unknown> | undefined;
  #isAskedAgain = false;

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
  }

  begin(): void {
    this.#isOn = true;
    this.ask();
  }

  ask(): void {
    if (!this.#isOn || this.#timer !== undefined) return;
    if (this.#underWay !== undefined) {
      this.#isAskedAgain = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // What fails now is written by the next attempt.
      this.#underWay = this.#work()
        .catch(() => undefined)
        .finally(() => {
          this.#underWay = undefined;
          if (this.#isAskedAgain) this.ask();
        });
      this.#isAskedAgain = false;
    }, soonMillis);
  }

  async end(): Promise<void> {
    this.#isOn = false;
    clearTimeout(this.#timer);
    await this.#underWay;
  }
}

const mostNamed = 3;
const noWorker =
  "No worker is running, so this waits in the queue. Start one with `signoff worker`; Ctrl-C stops waiting, not the run.";

const noSuchWorker =
  "No running worker can take this (another version, or an assistant that none may ask), so it waits in the queue. `signoff workers` lists them; Ctrl-C stops waiting, not the run.";

function filesOf(
  { root, project, runs, features, exclusively }: HomeParts,
  { pool }: ClusterPool,
): FileProjection {
  const path = join(root, ".signoff", "projection.json");
  return new FileProjection({
    store: runs,
    projectors: features
      .flatMap(({ projectors }) => projectors)
      .filter(({ writes }) => writes !== "rows"),
    changedAfter: changedRunsOf(pool, project),
    load: () => readProgress(path),
    save: async (progress) => {
      await writeFilesAtomically([{ path, content: `${JSON.stringify(progress)}\n` }]);
    },
    exclusively,
  });
}

/** A file that is missing or damaged means that everything is written again, which changes nothing. */
function readProgress(path: string): ProjectionProgress | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ProjectionProgress;
  } catch {
    return undefined;
  }
}
