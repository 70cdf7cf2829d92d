import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type HealthParts, serveHealth } from "../../adapters/engines/queue/health-server.ts";
import {
  type ClusterPool,
  listProjects,
  openClusterPool,
} from "../../adapters/engines/queue/open-pool.ts";
import { SharedLimits } from "../../adapters/engines/queue/shared-limits.ts";
import { Worker } from "../../adapters/engines/queue/worker.ts";
import { type WorkerEntry, WorkerRegistry } from "../../adapters/engines/queue/worker-registry.ts";
import { Scheduler } from "../../adapters/engines/scheduler.ts";
import { requireSession } from "../../adapters/persistence/postgres/require-session.ts";
import {
  createPrometheusMetrics,
  type PrometheusMetrics,
} from "../../adapters/telemetry/prometheus-metrics.ts";
import { defined } from "../../domain/values/defined.ts";
import { version } from "../../domain/values/version.ts";
import type { Clock } from "../../ports/clock.ts";
import { rateOf } from "../models/provider-runners.ts";
import { schedulingOf } from "../project/scheduling.ts";
import { clockOf } from "../project/system-clock.ts";
import { createTelemetry, type Telemetry } from "../project/telemetry.ts";
import { clusterError } from "./cluster-error.ts";
import { assistantTask, currentTask } from "./task-of-job.ts";
import { agreeToOwnKeys, lacksOf } from "./worker-keys.ts";
import { openWorkerProject, type WorkerAsked, type WorkerProject } from "./worker-project.ts";

export interface OpenWorker {
  readonly name: string;
  /** What this worker cannot do, one sentence each. */
  readonly lacks: readonly string[];
  /** Calls `ready` when it takes runs. Resolves when it has drained. */
  work(ready: () => void): Promise<void>;
  drain(how: "finish" | "now"): Promise<void>;
}

const renewMillis = 1_000;
/** Of the queue, limits and messages. Runs mostly wait for models, so many share a connection. */
const sharedConnections = 6;

/** A worker of this process. Everything it may send anywhere comes from its own settings and environment. */
export async function openWorker(asked: WorkerAsked): Promise<OpenWorker> {
  const { environment, loaded } = asked;
  const clock = clockOf(environment);
  const self = entryOf(asked);
  const cluster = await openClusterPool(asked.url, sharedConnections);
  agreeToOwnKeys(loaded, environment);
  const { limits, scheduler } = schedulingFor(asked, { cluster, worker: self.id, clock });
  const metrics = createPrometheusMetrics();
  const telemetry = telemetryOf(asked, clock, metrics);
  const opened: WorkerProject[] = [];
  const { worker, registry } = workerOf(asked, { cluster, clock, self, opened }, (project) =>
    openWorkerProject(
      {
        ...{ asked, clock, cluster, scheduler },
        ...{ observer: telemetry, id: self.id, name: self.name },
      },
      project,
    ),
  );
  return {
    name: self.name,
    lacks: lacksOf(loaded, environment),
    drain: (how) => worker.drain(how),
    async work(ready) {
      const renewing = setInterval(() => {
        limits.renewAll().catch(() => undefined);
      }, renewMillis);
      let health: { close(): void } | undefined;
      try {
        health = await healthOf(asked, { worker, registry, metrics });
        await requireOwnSessions(cluster);
        await sayWhatIsMissing(asked, cluster);
        await worker.work(ready);
      } catch (error) {
        throw clusterError(error, asked.url);
      } finally {
        clearInterval(renewing);
        health?.close();
        await telemetry.settled();
        for (const one of opened) await one.close();
        await cluster.pool.end();
        await telemetry.close();
      }
    },
  };
}

async function sayWhatIsMissing(
  { projects = [], report }: WorkerAsked,
  { pool }: ClusterPool,
): Promise<void> {
  const known = await listProjects(pool);
  for (const project of projects.filter((one) => !known.includes(one))) {
    report(
      `The database has no schema ${project}, so nothing is taken for it until "signoff store migrate" has made it.`,
    );
  }
}

async function requireOwnSessions({ connect }: ClusterPool): Promise<void> {
  const client = await connect();
  await requireSession(client, connect).finally(() => client.end());
}

function entryOf({ name = hostname(), concurrency, projects, loaded }: WorkerAsked): WorkerEntry {
  const { settings } = loaded;
  const tasks = [currentTask, assistantTask(settings, settings.scenarios.assistant.baseUrl)];
  return {
    ...{ id: randomUUID(), name, host: hostname(), pid: process.pid, version },
    ...{ tasks, concurrency, ...defined({ projects }) },
  };
}

interface Shared {
  readonly cluster: ClusterPool;
  readonly clock: Clock;
  readonly self: WorkerEntry;
  readonly opened: WorkerProject[];
}

function workerOf(
  { projects, report }: WorkerAsked,
  { cluster, clock, self, opened }: Shared,
  open: (project: string) => Promise<WorkerProject>,
): { readonly worker: Worker; readonly registry: WorkerRegistry } {
  const { pool, connect } = cluster;
  const isServed = (project: string): boolean => projects?.includes(project) ?? true;
  const registry = new WorkerRegistry({
    ...{ pool, connect, self, now: clock.monotonic, report },
    projects: async () => (await listProjects(pool)).filter(isServed),
  });
  const worker = new Worker({
    ...{ self, pool, registry, clock, report },
    foreign: async () =>
      projects === undefined ? [] : (await listProjects(pool)).filter((one) => !isServed(one)),
    executionsOf: async (project) => {
      const one = await open(project);
      opened.push(one);
      return one.executions;
    },
  });
  return { worker, registry };
}

function schedulingFor(
  { loaded }: WorkerAsked,
  { cluster, worker, clock }: Pick<Shared, "cluster" | "clock"> & { readonly worker: string },
): { readonly limits: SharedLimits; readonly scheduler: Scheduler } {
  const limits: SharedLimits = new SharedLimits({
    ...{ pool: cluster.pool, worker, clock },
    limitOf: (provider) => ({
      // All workers together get what the provider allows at the moment, and less after a refusal.
      places: scheduler.limitOf(provider).limit,
      ...defined({ perSecond: rateOf(loaded.settings, provider) }),
    }),
    slowed: (provider) => scheduler.limitOf(provider).overloaded(),
  });
  const scheduler: Scheduler = new Scheduler({
    ...{ clock, chance: Math.random, ...schedulingOf({ loaded }), shared: limits },
  });
  return { limits, scheduler };
}

function telemetryOf(
  { root, loaded, telemetry }: WorkerAsked,
  clock: Clock,
  metrics: PrometheusMetrics,
): Telemetry {
  const sessionOf = async () => undefined;
  return createTelemetry(
    { root, clock, redactor: loaded.redactor, ...telemetry, sessionOf },
    metrics,
  );
}

async function healthOf(
  { healthPort: port }: WorkerAsked,
  about: {
    readonly worker: Worker;
    readonly registry: WorkerRegistry;
    readonly metrics: PrometheusMetrics;
  },
): Promise<{ close(): void } | undefined> {
  if (port === undefined) return undefined;
  const problem: HealthParts["problem"] = () => {
    if (about.worker.isDraining) return "draining";
    return about.registry.isAlive ? undefined : "the database cannot be reached";
  };
  return await serveHealth({ port, problem, metrics: about.metrics });
}
