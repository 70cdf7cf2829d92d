import { resolve } from "node:path";
import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import type { EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { AgentError, WorkflowError } from "../../domain/values/workflow-error.ts";
import {
  ensureState,
  planReview,
  startReview,
} from "../../orchestration/episodes/review-episode.ts";
import { checkNotes as checkLock, type NotesCheck } from "../../orchestration/gates/check-notes.ts";
import { type ReviewReport, reviewNotes as sweep } from "../../orchestration/gates/review-notes.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import { membersOf } from "../../orchestration/scenarios/ask-analyst.ts";
import { startPackRun } from "../../orchestration/scenarios/run-pack.ts";
import { reportOf } from "../../orchestration/scenarios/run-report.ts";
import { loadStage } from "../../orchestration/stages/load-stage.ts";
import { recordLoop, startStageRun } from "../../orchestration/stages/run-stage.ts";
import { namesOf, type Stage, type StageState, termsOf } from "../../orchestration/stages/stage.ts";
import { summarizeStage } from "../../orchestration/stages/stage-files.ts";
import type { Budget, Ending } from "../../ports/flow.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { requireOffered } from "../models/check-models.ts";
import { type ModelChoice, OwnModels } from "../models/own-models.ts";
import { createRunnerFor } from "../models/runners.ts";
import { openProject, type Project } from "../project/project.ts";
import { findProjectRoot, realPath } from "../project/project-root.ts";
import { clockOf } from "../project/system-clock.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { assistantSettingsOf } from "../settings/scenario-settings.ts";
import { type LoadedSettings, loadProjectSettings } from "../settings/settings.ts";
import { studioEpisodes } from "../studio/studio-episodes.ts";
import { analystsOf } from "./analysts.ts";
import { openWorkspace } from "./episode-workspace.ts";
import { loadPackManifest } from "./manifests.ts";
import { notesToolsOf, reviewEngineOf } from "./notes.ts";
import { openNotesForReading } from "./notes-reading.ts";
import { analystOf, openStage } from "./open-stage.ts";
import { packPartsOf, runFoldersOf } from "./pack-parts.ts";
import { readStages } from "./stage-reading.ts";
import { stagePartsOf } from "./stages.ts";

/** What every job takes. */
export interface JobPlace {
  /** Folder of the project. Default: found upward from the working directory. */
  readonly directory?: string;
  /** Let the project's settings run programs and send keys. */
  readonly trust?: boolean;
  /** Aborting interrupts the job; calling the function again resumes it. */
  readonly signal?: AbortSignal;
}

interface Place {
  /** Models that the caller brings, under the names that runs know them by. */
  readonly own: OwnModels;
  readonly root: string;
  readonly environment: Environment;
  readonly loaded: LoadedSettings;
  readonly runnerFor: RunnerFor;
}

async function placeOf(job: JobPlace, flags: SettingFlags = {}, at?: string): Promise<Place> {
  const environment = readEnvironment();
  const { directory = findProjectRoot(at ?? process.cwd(), environment.home) } = job;
  const root = realPath(directory);
  const loaded = await loadProjectSettings({ root, environment, flags, trust: job.trust ?? false });
  const { settings, redactor, guard } = loaded;
  const access = { settings, redactor, environment, guard: guard.allow };
  const clock = clockOf(environment);
  const own = new OwnModels();
  const runnerFor = own.runnersWith(createRunnerFor({ root, clock, access }), {
    ...{ clock, settings, redactor },
  });
  return { own, root, environment, loaded, runnerFor };
}

async function inProject<T>(
  { root, environment, loaded, runnerFor }: Place,
  { signal }: JobPlace,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const project = await openProject({ root, environment, loaded, runnerFor });
  const interrupt = (): void => project.engine.interrupt("now");
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    return await work(project);
  } finally {
    signal?.removeEventListener("abort", interrupt);
    await project.close();
  }
}

/** A run that did not come to its end, as an error. */
function unfinished(run: string, ending: Ending): WorkflowError {
  const facts = { run_id: run };
  if (ending.kind === "failed") {
    const { code, message, retryable } = ending.error;
    return new AgentError(message, { code, retryable, facts });
  }
  const code = ending.kind === "stopped" ? ending.reason : ending.kind;
  return new WorkflowError(`Run ${run} did not end: ${code}.`, { code, facts });
}

export interface EpisodeOptions extends JobPlace {
  /** The folder of the episode. Default: the nearest one upward. */
  readonly workspace?: string;
  /** Default: every text that no person has picked. */
  readonly assetIds?: readonly string[];
  /** Who writes, and who reviews unless another is named. */
  readonly model?: ModelChoice;
  readonly reviewerModel?: ModelChoice;
}

/** Writes and reviews the texts of an episode until both sides sign, and returns the state of all of them. */
export async function reviewEpisode(options: EpisodeOptions = {}): Promise<EpisodeStatus> {
  const { workspace: named, assetIds } = options;
  const cwd = options.directory ?? process.cwd();
  const environment = readEnvironment();
  const workspace = await openWorkspace({ cwd, environment, ...defined({ workspace: named }) });
  const place = await placeOf({ ...options, directory: workspace.root });
  const model = options.model && place.own.nameOf(options.model, "writer");
  const reviewerModel =
    options.reviewerModel && place.own.nameOf(options.reviewerModel, "reviewer");
  return inProject(place, options, async (project) => {
    const { settings, guard } = place.loaded;
    const episodes = studioEpisodes({ ...place, project, settings, guard });
    const at = project.clock.now();
    const asked = { assetIds: [...(assetIds ?? assetKinds)], ...defined({ model, reviewerModel }) };
    const found = { ...workspace, id: workspace.path };
    const requests = await episodes.requests(found, asked, ["creator", "reviewer"]);
    await workspace.folder.sweep();
    await ensureState(workspace, episodes.lock, at);
    const plan = await planReview(workspace, requests, at);
    if (plan.jobs.length > 0) {
      const hasNamedModels = model !== undefined || reviewerModel !== undefined;
      const start = { ...plan, budget: episodes.budget, hasNamedModels };
      const { run } = await startReview(episodes.project, start);
      const ending = await project.engine.ending(run, new AbortController().signal);
      if (ending.kind !== "finished") throw unfinished(run, ending);
    }
    return episodes.status(found);
  });
}

export interface NotesOptions extends JobPlace {
  /** Notes or folders, relative to the project; default: all. */
  readonly paths?: readonly string[];
  readonly gates?: readonly string[];
  readonly changedSince?: string;
  /** Default: those of the settings. A function is known by its name, so that its verdicts are found again. */
  readonly models?: readonly ModelChoice[];
}

function scopeOf({ paths = [], gates = [], changedSince }: NotesOptions) {
  return { paths, gates, where: [], ...defined({ changedSince }) };
}

/** What `signoff.lock` and the rulings say about the notes as they are now; asks no model. */
export async function checkNotes(options: NotesOptions = {}): Promise<NotesCheck> {
  const { own, root, environment, loaded } = await placeOf(options);
  const { settings } = loaded;
  const { tools, close } = await openNotesForReading(root, environment, settings);
  const models =
    options.models?.map((choice) => own.nameOf(choice, "judge")) ??
    settings.notes.models.map(({ model }) => model);
  try {
    return await checkLock(tools, { ...scopeOf(options), models });
  } finally {
    await close();
  }
}

export interface ReviewNotesOptions extends NotesOptions {
  readonly budget?: Budget;
  /** Who acknowledges trivial changes. */
  readonly by?: string;
  /** Calls at a time. Default: 4. */
  readonly maxWorkers?: number;
}

/** Has every note that needs it reviewed by its gates, and writes `signoff.lock`. */
export async function reviewNotes(options: ReviewNotesOptions = {}): Promise<ReviewReport> {
  const place = await placeOf(options);
  const { settings, guard } = place.loaded;
  const uses =
    options.models
      ?.map((choice) => place.own.nameOf(choice, "judge"))
      .map((name) => modelUse(name, "flag", settings.aliases)) ?? settings.notes.models;
  for (const use of uses) if (!use.isFromProject) guard.choose(use);
  const budget = budgetOf(options.budget, settings);
  return inProject(place, options, async (project) => {
    const tools = await notesToolsOf(project, { ...place, settings });
    return sweep(tools, reviewEngineOf(project), {
      ...scopeOf(options),
      models: uses.map(({ model }) => model),
      strategy: "by-note",
      ...{ retryUndecided: false, autoAck: true, allowDirtyGates: false },
      maxWorkers: options.maxWorkers ?? 4,
      by: options.by ?? "the calling program",
      signal: options.signal ?? new AbortController().signal,
      onProgress: () => undefined,
      confirm: async ({ calls }) => {
        const asked = [...new Set(calls.map(({ model }) => model))];
        await requireOffered(place.runnerFor, asked, settings.aliases);
        return true;
      },
      ...defined({ budget }),
    });
  });
}

export interface PackOptions extends JobPlace {
  /** Path of the pack's manifest. */
  readonly manifest: string;
  readonly assistantUrl?: string;
  /** Folder of the run's files, relative to the project. Default: that of the settings. */
  readonly outputDir?: string;
  /** How often the pack is asked. Default: 1. */
  readonly repeat?: number;
  readonly budget?: Budget;
  readonly fresh?: boolean;
}

/** A judged pack run. Its folder has everything else, in files. */
export interface PackReport {
  readonly runId: string;
  readonly title: string;
  readonly folder: string;
  readonly finalStatus: string;
  readonly accepted: boolean;
  readonly reasons: readonly string[];
  readonly scenarios: readonly {
    readonly scenarioId: string;
    readonly title: string;
    readonly steps: readonly { readonly stepId: string; readonly status: string }[];
  }[];
}

/** Where a stage is, and what is missing before it can be closed. */
export interface StageReport {
  readonly stageId: string;
  readonly moduleName: string;
  readonly nextAction: string;
  readonly acceptedGate: boolean;
  readonly stageClosingGate: {
    readonly status: string;
    readonly reasons: readonly string[];
    readonly missing: readonly { readonly text: string; readonly command: string }[];
  };
}

/** Asks an assistant the questions of a pack and judges every answer. */
export async function runPack(options: PackOptions): Promise<PackReport> {
  const { manifest, assistantUrl, outputDir, repeat = 1, fresh } = options;
  const place = await placeOf(options, defined({ assistantUrl }), resolve(manifest, ".."));
  const { root, loaded, environment } = place;
  const { settings, guard } = loaded;
  const pack = loadPackManifest(root, resolve(manifest));
  const { baseUrl, name: assistantName } = settings.scenarios.assistant;
  const clock = clockOf(environment);
  assistantSettingsOf({ root, clock, settings, environment, guard: guard.allow }, baseUrl);
  const budget = budgetOf(options.budget, settings);
  return inProject(place, options, async (project) => {
    const { run } = await startPackRun(packPartsOf(project, settings), {
      ...{ pack, repeat, skipQuestionReview: false, assistantUrl: baseUrl },
      folder: outputDir ?? `${settings.scenarios.outputDir}/${pack.packId}`,
      ...defined({ assistantName, budget, fresh }),
    });
    return reportIn(project, run);
  });
}

async function reportIn(
  project: Project,
  run: Awaited<ReturnType<typeof startPackRun>>["run"],
): Promise<PackReport> {
  const ending = await project.engine.ending(run, new AbortController().signal);
  const record = await project.store.runs.load(run);
  const report = record === undefined ? undefined : reportOf(record);
  if (report === undefined) throw unfinished(run, ending);
  return report;
}

export interface StageOptions extends JobPlace {
  /** Path of the stage's manifest. */
  readonly manifest: string;
  readonly assistantUrl?: string;
  /** The model that judges the runs. Default: that of the manifest, else of the settings. */
  readonly analyst?: ModelChoice;
}

/** The state of a stage: what is open, what is proven, what to do next. Makes no calls. */
export async function stageStatus(options: StageOptions): Promise<StageReport> {
  const { stage, place, settings } = await stageIn(options);
  const { root, environment } = place;
  const state = await readStages({ root, settings, environment }, (reading) =>
    loadStage(reading, { folder: stage.folder, terms: termsOf(stage) }),
  );
  return summaryOf(root, stage, state);
}

function summaryOf(root: string, stage: Stage, state: StageState): Promise<StageReport> {
  const at = state.entries.at(-1)?.at ?? "";
  return summarizeStage({ folders: runFoldersOf(root) }, { stage: namesOf(stage), state, at });
}

/** Runs the loop of a stage until it is done or a person is needed, and returns the stage's state. */
export async function runStage(options: StageOptions): Promise<StageReport> {
  const { place, stage, settings, analyst } = await stageIn(options);
  const { guard } = place.loaded;
  const { library, assistant } = settings.scenarios;
  const assistantUrl = options.assistantUrl ?? stage.assistantUrl ?? assistant.baseUrl;
  const { root, environment } = place;
  const clock = clockOf(environment);
  assistantSettingsOf({ root, clock, settings, environment, guard: guard.allow }, assistantUrl);
  const analysts = analystsOf(settings, analyst ?? analystOf(stage, settings));
  const models = membersOf(analysts).map(({ model }) => model);
  await requireOffered(place.runnerFor, models, settings.aliases);
  const { repairMode, maxIterations } = stage.manifest;
  const request = {
    ...{ assistantUrl, ...analysts, repairMode, maxIterations, skipQuestionReview: false },
    ...{ fresh: false, ...defined({ assistantName: assistant.name }) },
  };
  return inProject(place, options, async (project) => {
    const parts = stagePartsOf(project, environment, { onOrphan: () => undefined });
    const asked = { stage, request, library };
    const start = await startStageRun(parts, packPartsOf(project, settings), asked);
    if (start.kind !== "started") return summaryOf(place.root, stage, start.state);
    await project.engine.ending(start.started.run, new AbortController().signal);
    return summaryOf(place.root, stage, await recordLoop(parts, { stage, library }));
  });
}

async function stageIn(options: StageOptions) {
  const { assistantUrl } = options;
  const path = resolve(options.manifest);
  const place = await placeOf(options, defined({ assistantUrl }), resolve(path, ".."));
  const { settings } = place.loaded;
  const analyst = options.analyst && place.own.nameOf(options.analyst, "analyst");
  const stage = openStage(place.root, settings, { path, ...defined({ assistantUrl, analyst }) });
  return { place, settings, stage, analyst };
}
