import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { Executions } from "../../adapters/engines/executions.ts";
import { type HealthParts, serveHealth } from "../../adapters/engines/queue/health-server.ts";
import { LivePublisher } from "../../adapters/engines/queue/live-messages.ts";
import {
  type ClusterPool,
  listProjects,
  openClusterPool,
} from "../../adapters/engines/queue/open-pool.ts";
import { RunChanges } from "../../adapters/engines/queue/run-changes.ts";
import { SharedLimits } from "../../adapters/engines/queue/shared-limits.ts";
import { Worker } from "../../adapters/engines/queue/worker.ts";
import { type WorkerEntry, WorkerRegistry } from "../../adapters/engines/queue/worker-registry.ts";
import { Scheduler } from "../../adapters/engines/scheduler.ts";
import { openPostgres } from "../../adapters/persistence/postgres/open-postgres.ts";
import { createProcessLock } from "../../adapters/persistence/sqlite/checkout-lock.ts";
import { createPrometheusMetrics } from "../../adapters/telemetry/prometheus-metrics.ts";
import { hostedProviders } from "../../domain/models/hosted-providers.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { version } from "../../domain/values/version.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { Holder } from "../../ports/run-store.ts";
import { flowsOf, projectFeatures } from "../features/all-features.ts";
import { concurrencyOf } from "../models/provider-runners.ts";
import { createCrashPoints } from "../project/crash-points.ts";
import { schedulingOf } from "../project/scheduling.ts";
import { clockOf } from "../project/system-clock.ts";
import { createTelemetry, type TelemetryFiles } from "../project/telemetry.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { currentTask } from "./task-of-job.ts";
import { workerRunners } from "./worker-runners.ts";

export interface WorkerAsked {
  /** The folder with the worker's own settings. */
  readonly root: string;
  readonly environment: Environment;
  readonly loaded: LoadedSettings;
  readonly url: string;
  readonly name?: string;
  readonly concurrency: number;
  readonly projects?: readonly string[];
  readonly healthPort?: number;
  readonly telemetry: TelemetryFiles;
  readonly report: (sentence: string) => void;
}

export interface OpenWorker {
  readonly name: string;
  /** What this worker cannot do, one sentence each. */
  readonly lacks: readonly string[];
  /** Resolves when it has drained. */
  work(): Promise<void>;
  drain(how: "finish" | "now"): Promise<void>;
}

/** Children of a run that workers execute at once; more would only wait in the queue. */
const childrenAtOnce = 64;
const renewMillis = 1_000;

/** A worker of this process. Everything it may send anywhere comes from its own settings and environment. */
export async function openWorker(asked: WorkerAsked): Promise<OpenWorker> {
  const { environment, loaded, report } = asked;
  const clock = clockOf(environment);
  const id = randomUUID();
  const name = asked.name ?? hostname();
  const self: WorkerEntry = {
    ...{ id, name, host: hostname(), pid: process.pid, version, tasks: [currentTask] },
    ...{ concurrency: asked.concurrency, ...defined({ projects: asked.projects }) },
  };
  const cluster = await openClusterPool(asked.url, asked.concurrency + 4);
  const { pool } = cluster;
  const served = async (): Promise<readonly string[]> =>
    (await listProjects(pool)).filter((one) => asked.projects?.includes(one) ?? true);
  const foreign = async (): Promise<string[]> =>
    asked.projects === undefined
      ? []
      : (await listProjects(pool)).filter((one) => asked.projects?.includes(one) === false);
  agreeToOwnKeys(loaded, environment);
  const opened: OpenedProject[] = [];
  const registry = new WorkerRegistry({
    ...{ pool, connect: cluster.connect, self, projects: served, now: clock.monotonic, report },
    working: () => opened.reduce((sum, { executions }) => sum + executions.working, 0),
  });
  const limits = new SharedLimits({
    ...{ pool, worker: id, clock },
    limitOf: (provider) => limitOf(loaded, provider),
    slowed: (provider) => scheduler.limitOf(provider).overloaded(),
  });
  const scheduler = new Scheduler({
    ...{ clock, chance: Math.random, ...schedulingOf({ loaded }), shared: limits },
  });
  const metrics = createPrometheusMetrics();
  const telemetry = createTelemetry(
    {
      ...{ root: asked.root, clock, redactor: loaded.redactor, ...asked.telemetry },
      sessionOf: async () => undefined,
    },
    metrics,
  );
  const shared = { asked, clock, cluster, scheduler, observer: telemetry, id, name };
  const worker = new Worker({
    ...{ self, pool, registry, foreign, clock, report },
    executionsOf: async (project) => {
      const one = await openWorkerProject(shared, project);
      opened.push(one);
      return one.executions;
    },
  });
  const problem: HealthParts["problem"] = () => {
    if (worker.isDraining) return "draining";
    return registry.isAlive ? undefined : "the database cannot be reached";
  };
  return {
    name,
    lacks: lacksOf(loaded, environment),
    drain: (how) => worker.drain(how),
    async work() {
      const renewing = setInterval(() => void limits.renewAll().catch(() => undefined), renewMillis);
      const health =
        asked.healthPort === undefined
          ? undefined
          : await serveHealth({ port: asked.healthPort, problem, metrics });
      try {
        await worker.work();
      } finally {
        clearInterval(renewing);
        health?.close();
        await telemetry.settled();
        for (const one of opened) await one.close();
        await pool.end();
        await telemetry.close();
      }
    },
  };
}

interface Shared {
  readonly asked: WorkerAsked;
  readonly clock: ReturnType<typeof clockOf>;
  readonly cluster: ClusterPool;
  readonly scheduler: Scheduler;
  readonly observer: Observer;
  readonly id: string;
  readonly name: string;
}

interface OpenedProject {
  readonly executions: Executions;
  close(): Promise<void>;
}

async function openWorkerProject(shared: Shared, project: string): Promise<OpenedProject> {
  const { asked, clock, cluster, scheduler, id, name } = shared;
  const { root, environment, loaded, url, concurrency } = asked;
  const crash = createCrashPoints(environment);
  const store = await openPostgres({ url, schema: project, crash, connections: concurrency });
  const features = projectFeatures({
    ...{ root, store, exclusively: createProcessLock(), clock, crash, environment },
    ...{ settings: loaded.settings, guard: loaded.guard.allow },
  });
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
    flows: flowsOf(features),
    runnerFor: workerRunners({ root, clock, environment, loaded }),
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
      // What a job of any place starts can run at any place, too.
      taskOf: () => currentTask,
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

/** A key in the worker's environment is there to be sent to its own provider. */
function agreeToOwnKeys({ guard }: LoadedSettings, environment: Environment): void {
  const usable = Object.entries(hostedProviders).filter(
    ([, { variable }]) => environment.secret(variable) !== undefined,
  );
  guard.agreeToModels(usable.map(([provider]) => `${provider}/any`));
}

function lacksOf({ settings }: LoadedSettings, environment: Environment): readonly string[] {
  const without = Object.entries(hostedProviders).flatMap(([provider, { variable }]) =>
    environment.secret(variable) === undefined ? [`${provider} (${variable})`] : [],
  );
  const keyless = Object.entries(settings.compatible).flatMap(([server, { apiKeyEnv }]) =>
    apiKeyEnv !== undefined && environment.secret(apiKeyEnv) === undefined
      ? [`compatible/${server} (${apiKeyEnv})`]
      : [],
  );
  const all = [...without, ...keyless];
  return all.length === 0 ? [] : [`No key for ${all.join(", ")}: runs that ask them will fail here.`];
}

function limitOf({ settings }: LoadedSettings, provider: string) {
  return { places: concurrencyOf(settings, provider) };
}
