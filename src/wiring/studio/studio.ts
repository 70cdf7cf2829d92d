import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { v5 as uuidOf } from "uuid";
import { openInBrowser } from "../../adapters/desktop/open-in-browser.ts";
import { idInRun } from "../../adapters/engines/run-identity.ts";
import { createPrometheusMetrics } from "../../adapters/telemetry/prometheus-metrics.ts";
import { readRecipe } from "../../adapters/workspace/recipe-files.ts";
import { shippedFolder } from "../../adapters/workspace/shipped-folder.ts";
import { standInModel } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import { type Access, createAccess } from "../../http/access.ts";
import { createApp } from "../../http/create-app.ts";
import { LiveHub } from "../../http/live-hub.ts";
import { serveApp } from "../../http/serve-app.ts";
import { loadStudioFiles } from "../../http/studio-files.ts";
import type { KnownModels, KnownRecipe, StudioParts } from "../../http/studio-parts.ts";
import { loadDraft } from "../../orchestration/drafting/load-session.ts";
import type { Author } from "../../orchestration/drafting/rule-on-draft.ts";
import { adoptRuns } from "../../orchestration/runs/adopt-runs.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import { updateRunLines } from "../../orchestration/runs/search-runs.ts";
import { repeatRun } from "../../orchestration/scenarios/repeat-run.ts";
import { packLibraryOf } from "../features/pack-library.ts";
import { packPartsOf } from "../features/pack-parts.ts";
import { prepareDraft } from "../features/prepare-draft.ts";
import { listRecipes } from "../features/recipes.ts";
import { requireUsable } from "../models/check-models.ts";
import { allowListing, listOffers, type Offer } from "../models/offered-models.ts";
import { runnersOf } from "../models/runners.ts";
import { openProject, type Project } from "../project/project.ts";
import { runSourceOf } from "../project/run-source.ts";
import { clockOf } from "../project/system-clock.ts";
import { createTelemetry, type Telemetry, type TelemetryFiles } from "../project/telemetry.ts";
import type { Environment } from "../settings/environment.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { refuseScripts } from "./refuse-scripts.ts";
import { studioEpisodes } from "./studio-episodes.ts";
import { studioNotes } from "./studio-notes.ts";
import { studioStages } from "./studio-stages.ts";

export interface StudioSettings {
  readonly root: string;
  readonly environment: Environment;
  /** The settings at start; they apply until the server is restarted. */
  readonly loaded: LoadedSettings;
  readonly author: Author;
  readonly port: number;
  /** The address of a proxy with TLS in front of the server. */
  readonly publicUrl?: string;
  /** Resume runs whose process is gone. */
  readonly adopt: boolean;
  readonly telemetry?: TelemetryFiles;
  readonly report: (error: unknown, requestId: string) => void;
}

export interface OpenStudio {
  /** With the token in its fragment, which browsers never send. */
  readonly url: string;
  readonly port: number;
  readonly adopted: readonly RunId[];
  open(): Promise<boolean>;
  /** How many runs are still active in this process. */
  busy(): number;
  /** Interrupts the runs of this process and waits until each is recorded. */
  stop(how: "finish" | "now"): Promise<void>;
}

export interface PreparedStudio {
  readonly project: Project;
  readonly telemetry: Telemetry;
  readonly hub: LiveHub;
  readonly parts: StudioParts;
  appFor(access: Access): ReturnType<typeof createApp>;
}

const address = "127.0.0.1";
/** Names our idempotency keys among all UUIDs. */
const keySpace = "9b0e4c1e-3c1f-5b52-9d5d-5a1f0f7a4d11";

/** Everything except the socket. */
export async function prepareStudio(settings: StudioSettings): Promise<PreparedStudio> {
  const { root, environment, loaded } = settings;
  const hub = new LiveHub();
  const project = await openProject({ root, environment, observer: hub, loaded });
  const metrics = createPrometheusMetrics();
  const telemetry = createTelemetry(
    {
      ...{ root, clock: clockOf(environment), redactor: loaded.redactor, ...settings.telemetry },
      sessionOf: async (run) => (await loadDraft(project.store, run))?.session,
    },
    metrics,
  );
  hub.listen((happening) => telemetry.notice(happening));
  const { contentType } = metrics;
  const text = () => telemetry.settled().then(() => metrics.text());
  const parts = partsOf(settings, project, { hub, metrics: { contentType, text } });
  const files = loadStudioFiles(shippedFolder("dist/studio", "index.html"));
  return {
    ...{ project, telemetry, hub, parts },
    appFor: (access) => createApp({ parts, access, files }),
  };
}

/** Serves API, events and pages from the project's store. */
export async function openStudio(settings: StudioSettings): Promise<OpenStudio> {
  let isStopping = false;
  // A request that the end of the server cuts off is not a defect.
  const report: StudioSettings["report"] = (error, requestId) => {
    if (!isStopping) settings.report(error, requestId);
  };
  const { project, telemetry, hub, parts, appFor } = await prepareStudio({ ...settings, report });
  try {
    let token = "";
    const listening = await serveApp({ address, port: settings.port }, (port) => {
      const access = createAccess(port, settings.publicUrl);
      token = access.token;
      return appFor(access);
    });
    const listed = updateRunLines(parts.source, () => isStopping).catch((error: unknown) =>
      report(error, "search"),
    );
    const stop = async (how: "finish" | "now"): Promise<void> => {
      isStopping = true;
      const recorded = parts.stages.close();
      project.engine.interrupt(how);
      await listening.close();
      await listed;
      await hub.idle();
      await recorded;
      await telemetry.settled();
      await project.close();
      await telemetry.close();
    };
    await project.home?.watch();
    const adopted = settings.adopt ? await adoptOr(stop, { parts, project }) : [];
    const url = `http://${address}:${listening.port}/#token=${token}`;
    return {
      url,
      port: listening.port,
      adopted,
      open: () => openInBrowser(url, join(settings.root, ".signoff")),
      busy: () => hub.activeRuns,
      stop,
    };
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** A store that cannot be read must not leave a server behind. */
async function adoptOr(
  stop: (how: "now") => Promise<void>,
  { parts, project }: Pick<PreparedStudio, "parts" | "project">,
): Promise<readonly RunId[]> {
  try {
    return await adoptRuns(parts.source, project.engine);
  } catch (error) {
    await stop("now");
    throw error;
  }
}

function partsOf(
  settings: StudioSettings,
  project: Project,
  watching: Pick<StudioParts, "hub" | "metrics">,
): StudioParts {
  const { root, environment, author, report, loaded } = settings;
  const { engine, files, clock, store } = project;
  const source = runSourceOf(store, clock);
  const runnerFor = runnersOf({ root, environment, loaded });
  const listing = { ...loaded, guard: allowListing(loaded.guard) };
  const listed = runnersOf({ root, environment, loaded: listing });
  return {
    ...{ root, source, engine, files, clock, author, report, ...watching },
    stages: studioStages({
      ...{ root, project, environment, loaded },
      report: (error) => report(error, "a stage"),
    }),
    newId: randomUUID,
    idInRun,
    idOf: (key) => uuidOf(key, keySpace),
    planDraft: async (asked) => {
      refuseScripts([asked, ...(asked.reviewers ?? [])]);
      const prepared = await prepareDraft({ root, ...loaded }, asked);
      const by = { settings: loaded.settings, runnerFor, at: clock.now() };
      await requireUsable(prepared, by);
      return prepared;
    },
    models: async () => knownModels(await listOffers(listed, loaded.settings, environment), loaded),
    recipes: () => knownRecipes(root, loaded.settings.drafting.recipes),
    settings: async () => loaded.entries,
    episodes: studioEpisodes({ root, project, environment, ...loaded, runnerFor }),
    notes: studioNotes({ root, environment, project, ...loaded, runnerFor }),
    packs: packLibraryOf(root, source, loaded.settings),
    repeatRun: async (request) => {
      const budget = budgetOf(undefined, loaded.settings);
      const again = { ...request, ...defined({ budget }) };
      return (await repeatRun(packPartsOf(project, loaded.settings), again)).run;
    },
  };
}

/** All available models. Fails only if the provider of the default model does not answer. */
function knownModels(offers: readonly Offer[], { settings }: LoadedSettings): KnownModels {
  const defaultModel = settings.models.writer.model;
  const own = offers.find(({ provider }) => defaultModel.startsWith(`${provider}/`));
  if (own?.problem !== undefined) {
    throw new AgentError(`${own.provider} ${own.problem}`, { code: "unreachable" });
  }
  const names = offers.flatMap(({ models }) => models);
  return {
    models: names.map((name) => ({ name, standIn: name === standInModel })),
    defaultModel,
  };
}

/** Unreadable recipes are left out here and reported when they are used. */
async function knownRecipes(root: string, folder: string): Promise<readonly KnownRecipe[]> {
  const files = await listRecipes(root, folder);
  const read = await Promise.allSettled(
    files.map(async (file) => {
      const { id, title, format, maxTurns, checks } = await readRecipe(file);
      const kinds = [...new Set(checks.map(({ kind }) => kind))];
      return { id, title, origin: file.origin, format, maxTurns, checks: kinds };
    }),
  );
  return read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}
