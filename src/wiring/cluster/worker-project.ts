import { Executions } from "../../adapters/engines/executions.ts";
import { LivePublisher } from "../../adapters/engines/queue/live-messages.ts";
import type { ClusterPool } from "../../adapters/engines/queue/open-pool.ts";
import { RunChanges } from "../../adapters/engines/queue/run-changes.ts";
import type { Scheduler } from "../../adapters/engines/scheduler.ts";
import { openPostgres } from "../../adapters/persistence/postgres/open-postgres.ts";
import { createProcessLock } from "../../adapters/persistence/sqlite/checkout-lock.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { Holder } from "../../ports/run-store.ts";
import { flowsOf, placesOf, projectFeatures } from "../features/all-features.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import type { clockOf } from "../project/system-clock.ts";
import type { TelemetryFiles } from "../project/telemetry.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { assistantTask, flowsElsewhere, type Tasks, taskOfJob } from "./task-of-job.ts";
import { workerRunners } from "./worker-runners.ts";

/** Children of a run that workers execute at once; more would only wait in the queue. */
const childrenAtOnce = 64;
/** To each project: a unit of work takes milliseconds, and a server has a hundred connections for all workers. */
const mostConnections = 8;
/** Replies in hand are paid for: they are kept for longer than a command would wait. */
const patienceMillis = 600_000;

export interface WorkerAsked {
  /** The folder with the worker's own settings. */
  readonly root: string;
  readonly environment: Environment;
  readonly loaded: LoadedSettings;
  readonly url: string;
  readonly name?: string;
  readonly concurrency: number;
  /** Schemas; absent: every project of the database. */
  readonly projects?: readonly string[];
  readonly healthPort?: number;
  readonly telemetry: TelemetryFiles;
  readonly report: (sentence: string) => void;
}

export interface WorkerServices {
  readonly asked: WorkerAsked;
  readonly clock: ReturnType<typeof clockOf>;
  readonly cluster: ClusterPool;
  readonly scheduler: Scheduler;
  readonly observer: Observer;
  readonly id: string;
  readonly name: string;
}

export interface WorkerProject {
  readonly executions: Executions;
  close(): Promise<void>;
}

/** Opens a project of the database for execution. */
export async function openWorkerProject(
  shared: WorkerServices,
  project: string,
): Promise<WorkerProject> {
  const { asked, clock, cluster, scheduler, id, name } = shared;
  const { root, environment, loaded, url, concurrency } = asked;
  const crash = createCrashPoints(environment);
  const connections = Math.min(concurrency, mostConnections);
  const refused = sayingOnce(asked.report, clock);
  const store = await openPostgres({
    ...{ url, schema: project, crash, connections, patienceMillis, refused },
  });
  const features = projectFeatures({
    ...{ root, store, exclusively: createProcessLock(), clock, crash, environment },
    ...{ settings: loaded.settings, guard: loaded.guard.allow },
  });
  const { settings } = loaded;
  const own = settings.scenarios.assistant.baseUrl;
  const tasks: Tasks = {
    places: placesOf(features),
    assistantTask: (address) => (address === own ? assistantTask(settings, own) : undefined),
  };
  const live = new LivePublisher(cluster.pool, project);
  const changes = new RunChanges({
    ...{ project, connect: cluster.connect, store: store.runs, clock },
    cancelRequested: (run) => void cancelHere(run).catch(() => undefined),
  });
  const cancelHere = async (run: RunId): Promise<void> => {
    if (!executions.isExecuting(run)) return;
    const reason = (await store.runs.load(run))?.cancelReason;
    if (reason !== undefined) await executions.stop(run, reason);
  };
  const executions: Executions = new Executions({
    store: store.runs,
    flows: flowsElsewhere(flowsOf(features), tasks),
    runnerFor: workerRunners({ root, environment, loaded }),
    scheduler,
    projectors: features
      .flatMap(({ projectors }) => projectors)
      .filter(({ writes }) => writes === "rows"),
    clock,
    // Not a process of this host as far as others are concerned: only its lease says whether it is alive.
    owner: { host: `worker ${name}`, pid: process.pid, processStart: id },
    isDead: (holder: Holder, now: number) =>
      holder.processStart === id || Date.parse(holder.expires) < now,
    crash,
    observer: {
      notice(happening: Happening) {
        live.notice(happening);
        shared.observer.notice(happening);
      },
    },
    childConcurrency: childrenAtOnce,
    elsewhere: {
      taskOf: (job) => taskOfJob(job, tasks),
      changed: (run, signal) => changes.changed(run, signal),
    },
  });
  await changes.listen();
  return {
    executions,
    async close() {
      await changes.close();
      await store.close();
    },
  };
}

/** What a worker waits for is reported when it begins; it has ended when nothing was heard of it for a while. */
function sayingOnce(
  report: (sentence: string) => void,
  { monotonic }: WorkerServices["clock"],
): (why: Error) => void {
  let last = { message: "", at: 0 };
  return ({ message }) => {
    const isKnown = message === last.message && monotonic() - last.at < forgottenMillis;
    if (!isKnown) report(`A run cannot go on yet: ${message}. It is tried again.`);
    last = { message, at: monotonic() };
  };
}

const forgottenMillis = 60_000;
