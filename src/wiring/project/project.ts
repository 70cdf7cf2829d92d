import { randomUUID } from "node:crypto";
import { EmbeddedEngine } from "../../adapters/engines/embedded/embedded-engine.ts";
import { isDead, processOwner } from "../../adapters/engines/process-owner.ts";
import { idInRun } from "../../adapters/engines/run-identity.ts";
import { Scheduler } from "../../adapters/engines/scheduler.ts";
import {
  createCheckoutLock,
  createProcessLock,
} from "../../adapters/persistence/sqlite/checkout-lock.ts";
import { openMemoryStore } from "../../adapters/persistence/sqlite/open-store.ts";
import { createRunFiles } from "../../adapters/workspace/run-files.ts";
import { type Guard, refuseAll } from "../../domain/settings/acts.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { defined } from "../../domain/values/defined.ts";
import { runId } from "../../domain/values/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { Observer } from "../../ports/observer.ts";
import type { RecordFiles } from "../../ports/record-files.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import type { ProjectStore } from "../../ports/store.ts";
import type { Home } from "../cluster/home.ts";
import { flowsOf, projectFeatures } from "../features/all-features.ts";
import type { Feature } from "../features/feature.ts";
import type { ProviderAccess } from "../models/provider-runners.ts";
import { createRunnerFor } from "../models/runners.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { createCrashPoints } from "./crash-points.ts";
import { locksPath, openProjectStore } from "./project-store.ts";
import { schedulingOf } from "./scheduling.ts";
import { clockOf } from "./system-clock.ts";

export interface Project {
  readonly root: string;
  readonly clock: Clock;
  readonly store: ProjectStore;
  readonly exclusively: Exclusively;
  readonly engine: EmbeddedEngine;
  readonly files: RecordFiles;
  readonly guard: Guard;
  readonly idInRun: typeof idInRun;
  /** Of this invocation; absent where the command needs none. */
  readonly settings?: Settings;
  /** What is due for runs that workers execute; absent without a shared database. */
  readonly home?: Home;
  /** Adds an observer, until the returned function is called. */
  readonly observe: (observer: Observer) => () => void;
  close(): Promise<void> | void;
}

export interface ProjectSettings {
  readonly root: string;
  /** An episode's folder, where scripts may change files. */
  readonly workspace?: string;
  readonly environment: Environment;
  readonly observer?: Observer;
  /** Whether files of runs that workers have executed are written first; default: yes. */
  readonly catchesUp?: boolean;
  /** Shows a sentence about what the command is waiting for. */
  readonly report?: (sentence: string) => void;
  readonly millisPerWord?: number;
  /** Nothing is written to disk; the store exists as long as the project is open. */
  readonly inMemory?: boolean;
  /** A store of the caller's own, which stays open; default: the project's SQLite file. */
  readonly store?: ProjectStore;
  /** Whether events become files of the project; default: only with the project's own store. */
  readonly keepsFiles?: boolean;
  /** The settings of this invocation; without them only stand-ins and scripts can be used. */
  readonly loaded?: Pick<LoadedSettings, "settings" | "redactor" | "guard">;
  /** Finds the models; default: by their names, with the settings of this invocation. */
  readonly runnerFor?: RunnerFor;
  /** Programs that an episode names; see `ProviderAccess`. */
  readonly agents?: NonNullable<ProviderAccess["agents"]>;
}

/** More than parallel calls: some children write records and files while others wait for replies. */
const childrenAtOnce = 8;
/** Children that wait in the queue or run on workers. */
const childrenElsewhere = 64;

/** Opens a project, ready to run jobs. */
export async function openProject(settings: ProjectSettings): Promise<Project> {
  const { root, environment, millisPerWord, workspace } = settings;
  const clock = clockOf(environment);
  const crash = createCrashPoints(environment);
  const { inMemory = false, keepsFiles = !inMemory && settings.store === undefined } = settings;
  const store =
    settings.store ??
    (inMemory ? openMemoryStore() : await openProjectStore({ root, environment }, crash));
  const exclusively = keepsFiles ? createCheckoutLock(locksPath(root)) : createProcessLock();
  const features = projectFeatures({
    ...{ root, store, exclusively, clock, crash, environment },
    ...defined({ settings: settings.loaded?.settings, guard: settings.loaded?.guard.allow }),
  });
  const observers = new Set<Observer>(settings.observer === undefined ? [] : [settings.observer]);
  const observer: Observer = {
    notice: (happening) => {
      for (const each of observers) each.notice(happening);
    },
  };
  const home = await homeOf(settings, { store, features, clock, exclusively, observer });
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: flowsOf(features),
    runnerFor:
      settings.runnerFor ??
      createRunnerFor({
        root,
        clock,
        ...defined({ millisPerWord, workspace }),
        ...accessOf(settings),
      }),
    scheduler: new Scheduler({ clock, chance: Math.random, ...schedulingOf(settings) }),
    projectors: !keepsFiles ? [] : features.flatMap(({ projectors }) => projectors),
    clock,
    owner: processOwner(),
    isDead,
    newRunId: () => runId(randomUUID()),
    crash,
    observer,
    childConcurrency: Math.max(
      home === undefined ? childrenAtOnce : childrenElsewhere,
      settings.loaded?.settings.scenarios.assistant.concurrency ?? 0,
    ),
    ...defined({ elsewhere: home }),
  });
  const files = createRunFiles(root, crash);
  const observe = (another: Observer): (() => void) => {
    observers.add(another);
    return () => observers.delete(another);
  };
  return {
    root,
    clock,
    store,
    exclusively,
    engine,
    files,
    guard: settings.loaded?.guard.allow ?? refuseAll,
    idInRun,
    ...defined({ settings: settings.loaded?.settings, home }),
    observe,
    close: async () => {
      await home?.close();
      if (settings.store === undefined) await store.close();
    },
  };
}

/**
 * What is due for runs that workers execute. Nothing of it is loaded without a shared database. Whoever brings a store or
 * models of its own executes its runs itself.
 */
async function homeOf(
  settings: ProjectSettings,
  parts: {
    readonly store: ProjectStore;
    readonly features: readonly Feature[];
    readonly clock: Clock;
    readonly exclusively: Exclusively;
    readonly observer: Observer;
  },
): Promise<Home | undefined> {
  const { root, environment, report = () => undefined, catchesUp = true } = settings;
  const isOwn = settings.store !== undefined || settings.runnerFor !== undefined;
  if (settings.inMemory === true || isOwn || environment.databaseUrl === undefined) {
    return undefined;
  }
  const { openHome } = await import("../cluster/home.ts");
  const { databaseOf } = await import("./project-id.ts");
  const { url, schema: project } = await databaseOf({ root, environment });
  const home = await openHome({
    ...{ root, url, project, runs: parts.store.runs, report, ...parts },
    ...defined({ settings: settings.loaded?.settings }),
  });
  if (catchesUp) await home.files.catchUp();
  return home;
}

function accessOf({ loaded, agents = {}, environment }: ProjectSettings): {
  readonly access?: ProviderAccess;
} {
  if (loaded === undefined) return {};
  return { access: { ...loaded, guard: loaded.guard.allow, environment, agents } };
}
