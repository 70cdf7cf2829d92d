import { randomUUID } from "node:crypto";
import { EmbeddedEngine } from "../../adapters/engines/embedded/embedded-engine.ts";
import { isDead, processOwner } from "../../adapters/engines/embedded/process-owner.ts";
import { defaultRetryPolicy } from "../../adapters/engines/retry-delay.ts";
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
import { draftingFeature } from "../features/drafting.ts";
import { episodesFeature } from "../features/episodes.ts";
import type { Feature, FeatureParts } from "../features/feature.ts";
import { gatesFeature } from "../features/gates.ts";
import { scenariosFeature } from "../features/scenarios.ts";
import { concurrencyOf, type ProviderAccess } from "../models/provider-runners.ts";
import { createRunnerFor } from "../models/runners.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { createCrashPoints } from "./crash-points.ts";
import { locksPath, openProjectStore } from "./project-store.ts";
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
  readonly millisPerWord?: number;
  /** Nothing is written to disk; the store exists as long as the project is open. */
  readonly inMemory?: boolean;
  /** A store of the caller's own, which stays open; default: the project's SQLite file. */
  readonly store?: ProjectStore;
  /** The settings of this invocation; without them only stand-ins and scripts can be used. */
  readonly loaded?: Pick<LoadedSettings, "settings" | "redactor" | "guard">;
  /** Finds the models; default: by their names, with the settings of this invocation. */
  readonly runnerFor?: RunnerFor;
  /** Programs that an episode names; see `ProviderAccess`. */
  readonly agents?: NonNullable<ProviderAccess["agents"]>;
}

const callsAtOnce = 4;
/** More than parallel calls: some children write records and files while others wait for replies. */
const childrenAtOnce = 8;

/** Opens a project, ready to run jobs. */
export async function openProject(settings: ProjectSettings): Promise<Project> {
  const { root, environment, millisPerWord, workspace } = settings;
  const clock = clockOf(environment);
  const crash = createCrashPoints(environment);
  const keepsFiles = settings.inMemory !== true && settings.store === undefined;
  const store =
    settings.store ??
    (settings.inMemory === true
      ? openMemoryStore()
      : await openProjectStore({ root, environment }, crash));
  const exclusively = !keepsFiles ? createProcessLock() : createCheckoutLock(locksPath(root));
  const features = featuresOf({
    ...{ root, store, exclusively, clock, crash, environment },
    ...defined({ settings: settings.loaded?.settings, guard: settings.loaded?.guard.allow }),
  });
  const observers = new Set<Observer>(settings.observer === undefined ? [] : [settings.observer]);
  const engine = new EmbeddedEngine({
    store: store.runs,
    flows: new Map(features.flatMap(({ flows }) => flows)),
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
    observer: {
      notice: (happening) => {
        for (const observer of observers) observer.notice(happening);
      },
    },
    childConcurrency: Math.max(
      childrenAtOnce,
      settings.loaded?.settings.scenarios.assistant.concurrency ?? 0,
    ),
  });
  const files = createRunFiles(root, crash);
  const observe = (observer: Observer): (() => void) => {
    observers.add(observer);
    return () => observers.delete(observer);
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
    ...defined({ settings: settings.loaded?.settings }),
    observe,
    close: () => (settings.store === undefined ? store.close() : undefined),
  };
}

function accessOf({ loaded, agents = {}, environment }: ProjectSettings): {
  readonly access?: ProviderAccess;
} {
  if (loaded === undefined) return {};
  return { access: { ...loaded, guard: loaded.guard.allow, environment, agents } };
}

function schedulingOf({ loaded }: ProjectSettings) {
  if (loaded === undefined) return { policy: defaultRetryPolicy, concurrencyOf: () => callsAtOnce };
  const { settings } = loaded;
  return {
    policy: {
      ...defaultRetryPolicy,
      attempts: settings.limits.attempts,
      longestWaitMs: settings.limits.longestWaitSeconds * 1_000,
    },
    concurrencyOf: (provider: string) => concurrencyOf(settings, provider),
  };
}

/** The only place where features are registered. */
function featuresOf(parts: FeatureParts): readonly Feature[] {
  return [
    draftingFeature(parts),
    episodesFeature(parts),
    gatesFeature(parts),
    scenariosFeature(parts),
  ];
}
