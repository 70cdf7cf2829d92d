import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { defined } from "../../domain/values/defined.ts";
import { AgentError, WorkflowError } from "../../domain/values/workflow-error.ts";
import type { Ending } from "../../ports/flow.ts";
import type { Happening, Observer } from "../../ports/observer.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import type { ProjectStore } from "../../ports/store.ts";
import { OwnModels } from "../models/own-models.ts";
import { runnersOf } from "../models/runners.ts";
import { openProject, type Project, type ProjectSettings } from "../project/project.ts";
import { findProjectRoot, realPath } from "../project/project-root.ts";
import { clockOf } from "../project/system-clock.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { type LoadedSettings, loadProjectSettings } from "../settings/settings.ts";
import type { EpisodeAgents } from "./episode-agents.ts";

/** What every job takes. */
export interface JobPlace {
  /** Folder of the project. Default: found upward from the working directory. */
  readonly directory?: string;
  /** Let the project's settings run programs and send keys. */
  readonly trust?: boolean;
  /**
   * A store of your own, certified by `signoff/testing`: it keeps the record in place of the project's database, and stays
   * open. Files that are the result itself are written all the same: an episode's texts, the lock of notes, the folders of
   * packs and stages. A draft then writes no files.
   */
  readonly store?: ProjectStore;
  /** Aborting interrupts the job; calling the function again resumes it. */
  readonly signal?: AbortSignal;
}

/** A project as one call of the library sees it. */
export interface OpenPlace {
  /** Models that the caller brings, under the names that runs know them by. */
  readonly own: OwnModels;
  readonly root: string;
  readonly environment: Environment;
  readonly loaded: LoadedSettings;
  readonly runnerFor: RunnerFor;
}

export async function placeOf(
  { directory, trust = false }: JobPlace,
  { flags, agents, workspace, from = process.cwd() }: PlaceNeeds = {},
): Promise<OpenPlace> {
  const environment = readEnvironment();
  const root = realPath(directory ?? findProjectRoot(from, environment.home));
  const own = new OwnModels();
  const loaded = await loadProjectSettings({
    ...{ root, environment, trust },
    flags: flags?.(own, root) ?? {},
  });
  const more = { agents: (await agents?.(loaded.guard)) ?? {}, ...defined({ workspace }) };
  const named = runnersOf({ root, environment, loaded }, more);
  const runnerFor = own.runnersWith(named, { ...loaded, clock: clockOf(environment) });
  return { own, root, environment, loaded, runnerFor };
}

interface PlaceNeeds {
  /** Options that take the place of settings; they may name models of the caller. */
  readonly flags?: (own: OwnModels, root: string) => SettingFlags;
  /** Where scripts may change files: the folder of an episode. */
  readonly workspace?: string;
  /** Programs that an episode names. */
  readonly agents?: (guard: TrustGuard) => Promise<EpisodeAgents["commands"]>;
  /** Where the search for the project begins. Default: the working directory. */
  readonly from?: string;
}

/** Opens the project for one job; aborting its signal interrupts what runs in it. */
export async function inProject<T>(
  { root, environment, loaded, runnerFor }: OpenPlace,
  { signal, store }: Pick<JobPlace, "signal" | "store">,
  work: (project: Project, failure: FirstFailure) => Promise<T>,
  how: Pick<ProjectSettings, "inMemory" | "keepsFiles" | "observer"> = {},
): Promise<T> {
  if (signal?.aborted === true) {
    const about = { code: "interrupted", cause: signal.reason };
    throw new WorkflowError("The job was interrupted before it began.", about);
  }
  const keepsFiles = true;
  const failure = new FirstFailure();
  const project = await openProject({
    ...{ root, environment, loaded, runnerFor, keepsFiles, observer: failure, ...how },
    ...defined({ store }),
  });
  const interrupt = (): void => project.engine.interrupt("now");
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    return await work(project, failure);
  } finally {
    signal?.removeEventListener("abort", interrupt);
    await project.close();
  }
}

/** What made the first run of a job fail: its children end before it does. The record keeps only the message. */
export class FirstFailure implements Observer {
  cause: unknown;

  notice(happening: Happening): void {
    if (happening.kind === "run-ended") this.cause ??= happening.cause;
  }
}

/** A run that did not come to its end, as an error. */
export function unfinished(
  run: string,
  ending: Ending,
  { cause }: { readonly cause: unknown },
): WorkflowError {
  const facts = { run_id: run };
  if (ending.kind === "failed") {
    const { code, message, retryable } = ending.error;
    return new AgentError(message, { code, retryable, facts, cause });
  }
  const code = ending.kind === "stopped" ? ending.reason : ending.kind;
  return new WorkflowError(`Run ${run} did not end: ${code}.`, { code, facts });
}
