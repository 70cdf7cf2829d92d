import { dirname, resolve } from "node:path";
import type { SettingFlags } from "../../contract/config/setting-table.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import type { EpisodeStatus } from "../../domain/episodes/episode-status.ts";
import { loopDefaults } from "../../domain/scenarios/pack-loop.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import {
  ensureState,
  planReview,
  startReview,
} from "../../orchestration/episodes/review-episode.ts";
import { checkLock, type NotesCheck } from "../../orchestration/gates/check-notes.ts";
import { type ReviewReport, reviewPairs } from "../../orchestration/gates/review-notes.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import { loopCommand, startLoopRun } from "../../orchestration/scenarios/run-loop.ts";
import { startPackRun } from "../../orchestration/scenarios/run-pack.ts";
import { reportOf } from "../../orchestration/scenarios/run-report.ts";
import { loadStage } from "../../orchestration/stages/load-stage.ts";
import { recordLoop, startStageRun } from "../../orchestration/stages/run-stage.ts";
import { namesOf, type Stage, type StageState, termsOf } from "../../orchestration/stages/stage.ts";
import { summarizeStage } from "../../orchestration/stages/stage-files.ts";
import { requireOffered } from "../models/check-models.ts";
import type { ModelChoice, OwnModels } from "../models/own-models.ts";
import type { Project } from "../project/project.ts";
import { runFoldersOf } from "../project/run-folders.ts";
import { readEnvironment } from "../settings/environment.ts";
import { assistantSettingsOf } from "../settings/scenario-settings.ts";
import { loadTrustedCoders } from "../settings/trust.ts";
import { studioEpisodes } from "../studio/studio-episodes.ts";
import { analystsOf } from "./analysts.ts";
import { type EpisodeAgents, episodeAgents, unnamedRoles } from "./episode-agents.ts";
import { openWorkspace } from "./episode-workspace.ts";
import {
  type AskingOptions,
  type EpisodeOptions,
  episodeOptions,
  type NotesOptions,
  notesOptions,
  type PackOptions,
  packOptions,
  type ReviewNotesOptions,
  requireOptions,
  reviewNotesOptions,
  type StageOptions,
  stageOptions,
} from "./job-options.ts";
import { type FirstFailure, inProject, type OpenPlace, placeOf, unfinished } from "./job-place.ts";
import { loadPackManifest } from "./manifests.ts";
import { notesToolsOf, reviewEngineOf } from "./notes.ts";
import { readNotesOf } from "./notes-reading.ts";
import { packPartsOf } from "./pack-parts.ts";
import { planAsset, requireAssetModels } from "./plan-asset.ts";
import { modelInProject } from "./prepare-draft.ts";
import { assistantAccessOf, requireQuestionModels } from "./question-models.ts";
import { openKnownStage, readStages } from "./stage-reading.ts";
import { coderFor, stageRunRequest } from "./stage-work.ts";
import { stagePartsOf } from "./stages.ts";

/** Writes and reviews the texts of an episode until both sides sign, and returns the state of all of them. */
export async function reviewEpisode(options: EpisodeOptions = {}): Promise<EpisodeStatus> {
  requireOptions("reviewEpisode", episodeOptions, options);
  const { workspace: named, assetIds } = options;
  const cwd = options.directory ?? process.cwd();
  const environment = readEnvironment();
  const workspace = await openWorkspace({ cwd, environment, ...defined({ workspace: named }) });
  const roles = unnamedRoles(options, "creator");
  let agents: EpisodeAgents["models"] = {};
  const place = await placeOf(
    { ...options, directory: workspace.root },
    {
      workspace: workspace.folder.root,
      agents: async (guard) => {
        const { folder } = workspace;
        const about = { environment, workspace: folder.root, guard, trust: options.trust ?? false };
        const found = await episodeAgents(await loadEpisodeSettings(folder), roles, about);
        agents = found.models;
        return found.commands;
      },
    },
  );
  const models = modelsOf(options, place);
  return inProject(place, options, async (project, failure) => {
    const { settings, guard } = place.loaded;
    const episodes = studioEpisodes({ ...place, project, settings, guard });
    const { budget } = episodes;
    const at = project.clock.now();
    const planned = await Promise.all(
      (assetIds ?? assetKinds).map((assetId) =>
        planAsset(
          { root: place.root, settings },
          {
            ...{ assetId, ...models },
            agents: defined({ writer: agents.creator, reviewer: agents.reviewer }),
          },
        ),
      ),
    );
    await requireAssetModels(
      planned.flatMap(({ uses }) => uses),
      {
        ...{ settings, guard, runnerFor: place.runnerFor, budget, at },
        agents: Object.values(agents),
      },
    );
    await workspace.folder.sweep();
    await ensureState(workspace, episodes.lock, at);
    const plan = await planReview(
      workspace,
      planned.map(({ request }) => request),
      at,
    );
    if (plan.jobs.length > 0) {
      const hasNamedModels = Object.keys(models).length > 0;
      const { run } = await startReview(episodes.project, { ...plan, budget, hasNamedModels });
      const ending = await project.engine.ending(run, new AbortController().signal);
      if (ending.kind !== "finished") throw unfinished(run, ending, failure);
    }
    return episodes.status(workspace);
  });
}

function modelsOf({ model, reviewerModel }: EpisodeOptions, { own, root }: OpenPlace) {
  const named = (choice: ModelChoice | undefined, role: string) =>
    choice === undefined ? undefined : modelInProject(own.nameOf(choice, role), root);
  return defined({
    model: named(model, "writer"),
    reviewerModel: named(reviewerModel, "reviewer"),
  });
}

function scopeOf({ paths = [], gates = [], changedSince }: NotesOptions) {
  return { paths, gates, where: [], ...defined({ changedSince }) };
}

/** What `signoff.lock` and the rulings say about the notes as they are now; asks no model. */
export async function checkNotes(options: NotesOptions = {}): Promise<NotesCheck> {
  requireOptions("checkNotes", notesOptions, options);
  const { own, root, environment, loaded } = await placeOf(options);
  const { settings } = loaded;
  const { store } = options;
  const models =
    options.models?.map((choice) => own.nameOf(choice, "judge")) ??
    settings.notes.models.map(({ model }) => model);
  return readNotesOf({ root, environment, settings, store }, (tools) =>
    checkLock(tools, { ...scopeOf(options), models }),
  );
}

/** Has every note that needs it reviewed by its gates, and writes `signoff.lock`. */
export async function reviewNotes(options: ReviewNotesOptions = {}): Promise<ReviewReport> {
  requireOptions("reviewNotes", reviewNotesOptions, options);
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
    return reviewPairs(tools, reviewEngineOf(project), {
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

/** Asks an assistant the questions of a pack and judges every answer; an analyst, if there is one, judges the whole. */
export async function runPack(options: PackOptions): Promise<PackReport> {
  requireOptions("runPack", packOptions, options, "manifest");
  const { outputDir, repeat = 1, fresh } = options;
  const { targetScore, maxIterations } = { ...loopDefaults, ...options };
  const manifest = resolve(options.manifest);
  const place = await placeOf(options, { flags: askingFlags(options), from: dirname(manifest) });
  const { root, loaded } = place;
  const { settings } = loaded;
  const pack = loadPackManifest(root, manifest);
  const { baseUrl: assistantUrl, name: assistantName } = settings.scenarios.assistant;
  assistantSettingsOf(assistantAccessOf(place), assistantUrl);
  const budget = budgetOf(options.budget, settings);
  const analysts =
    options.analyst === undefined ? undefined : analystsOf(settings, settings.models.analyst.model);
  await requireQuestionModels(place, { pack, analysts, budget });
  const folder = outputDir ?? `${settings.scenarios.outputDir}/${pack.packId}`;
  const request = {
    ...{ pack, repeat, skipQuestionReview: false, assistantUrl, folder },
    ...defined({ assistantName, budget, fresh }),
  };
  return inProject(place, options, async (project, failure) => {
    const parts = packPartsOf(project, settings);
    const { run } =
      analysts === undefined
        ? await startPackRun(parts, request)
        : await startLoopRun(parts, {
            ...{ ...request, ...analysts, targetScore, maxIterations },
            repairMode: "lead-handoff",
            validationCommand: loopCommand(manifest, request),
          });
    return reportIn(project, run, failure);
  });
}

function askingFlags(
  options: AskingOptions & Pick<PackOptions, "analyst">,
): (own: OwnModels, root: string) => SettingFlags {
  const { assistantUrl } = options;
  return (own, root) => {
    const named = (role: "analyst" | "user") => {
      const choice = options[role];
      return choice === undefined ? undefined : modelInProject(own.nameOf(choice, role), root);
    };
    return defined({ assistantUrl, analyst: named("analyst"), userModel: named("user") });
  };
}

async function reportIn(
  project: Project,
  run: Awaited<ReturnType<typeof startPackRun>>["run"],
  failure: FirstFailure,
): Promise<PackReport> {
  const ending = await project.engine.ending(run, new AbortController().signal);
  const record = await project.store.runs.load(run);
  const report = record === undefined ? undefined : reportOf(record);
  if (report === undefined) throw unfinished(run, ending, failure);
  return report;
}

/** The state of a stage: what is open, what is proven, what to do next. Makes no calls. */
export async function stageStatus(options: StageOptions): Promise<StageReport> {
  const { stage, place, settings } = await stageIn("stageStatus", options);
  const { root, environment } = place;
  const { store } = options;
  const state = await readStages({ root, settings, environment, store }, (reading) =>
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
  const { place, stage, settings, analyst } = await stageIn("runStage", options);
  const { library } = settings.scenarios;
  const { userFolder } = place.environment;
  const trusted = await loadTrustedCoders({ userFolder, root: place.root });
  const byFlag = options.trust ?? false;
  const given = stageRunRequest(place, stage, {
    ...{ analyst, coder: () => coderFor(place, stage, { willRun: true, byFlag, trusted }) },
    ...defined({ budget: options.budget }),
  });
  await requireQuestionModels(place, { pack: stage.pack, analysts: given, budget: given.budget });
  const request = { ...given, skipQuestionReview: false, fresh: false };
  return inProject(place, options, async (project) => {
    const parts = stagePartsOf(project, place.environment);
    const asked = { stage, request, library };
    const start = await startStageRun(parts, packPartsOf(project, settings), asked);
    if (start.kind !== "started") return summaryOf(place.root, stage, start.state);
    await project.engine.ending(start.started.run, new AbortController().signal);
    return summaryOf(place.root, stage, await recordLoop(parts, { stage, library }));
  });
}

async function stageIn(job: string, options: StageOptions) {
  requireOptions(job, stageOptions, options, "manifest");
  const { assistantUrl, store } = options;
  const path = resolve(options.manifest);
  const place = await placeOf(options, { flags: askingFlags(options), from: dirname(path) });
  const { root, environment } = place;
  const { settings } = place.loaded;
  const analyst = options.analyst === undefined ? undefined : settings.models.analyst.model;
  const about = { path, ...defined({ assistantUrl, analyst }) };
  const stage = await openKnownStage({ root, environment, settings, store }, about);
  return { place, settings, stage, analyst };
}
