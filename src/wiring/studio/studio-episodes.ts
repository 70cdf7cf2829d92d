import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { openEpisodeFolder } from "../../adapters/workspace/episode-folder.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { modelUse } from "../../domain/settings/choose-models.ts";
import { requireTrusted } from "../../domain/settings/require-trusted.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { ConfigurationError, ModelNotFoundError } from "../../domain/values/workflow-error.ts";
import type { EpisodeParts, EpisodeWish, FoundEpisode } from "../../http/episode-parts.ts";
import { episodeAddress } from "../../orchestration/episodes/asset-loops.ts";
import type { AssetRequest } from "../../orchestration/episodes/freeze-asset.ts";
import { loadSettings } from "../../orchestration/episodes/load-episode.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { missingAgents } from "../features/episode-agents.ts";
import { episodeProject } from "../features/episode-workspace.ts";
import { workspaceLock } from "../features/episodes.ts";
import { loadRecipe } from "../features/recipes.ts";
import { requireOffered } from "../models/check-models.ts";
import type { Project } from "../project/project.ts";
import { realPath } from "../project/project-root.ts";
import { budgetOf } from "../settings/budget-of.ts";
import type { Environment } from "../settings/environment.ts";

interface EpisodeSurroundings {
  readonly root: string;
  readonly project: Project;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly runnerFor: RunnerFor;
}

const deepest = 4;
const mostFolders = 5_000;
const passedOver = new Set(["node_modules", "dist", "copy", "transcript", "summaries"]);

export function studioEpisodes(surroundings: EpisodeSurroundings): EpisodeParts {
  const { project } = surroundings;
  const root = realPath(surroundings.root);
  return {
    project: episodeProject(project),
    lock: workspaceLock(project),
    budget: budgetOf(surroundings.settings.limits.budget),
    async find() {
      const found: FoundEpisode[] = [];
      for (const path of await workspacesBelow(root)) {
        const folder = await openEpisodeFolder(path);
        const name = relative(root, folder.root) || ".";
        found.push({ id: episodeAddress(name), folder, path: name });
      }
      return found.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    missingAgents: ({ folder }) => missingAgents(folder, surroundings.environment),
    async requests({ folder }, wish, roles) {
      const { agents } = await loadSettings(folder);
      if (wish.model === undefined) refuseAgents(roles.filter((role) => agents[role]?.command));
      const { settings } = surroundings;
      const pair = pairOf(wish, settings);
      await requireUsable(surroundings, [pair.writer, pair.reviewer]);
      return requestsOf({ root, settings }, wish, pair);
    },
  };
}

/** A request's word counts before the settings; who writes also reviews where nobody else is named. */
function pairOf({ model, reviewerModel }: EpisodeWish, { models }: Settings) {
  const writer = model ?? models.writer.model;
  const isReviewerNamed = model === undefined && models.reviewer.source !== "default";
  return { writer, reviewer: reviewerModel ?? (isReviewerNamed ? models.reviewer.model : writer) };
}

/** Commands of a workspace run in a terminal, where their trust is asked for. */
function refuseAgents(roles: readonly string[]): void {
  if (roles.length === 0) return;
  throw new ConfigurationError(
    `episode.yaml names programs for ${roles.join(" and ")}; they are started from a terminal only.`,
    {
      code: "agents-need-terminal",
      facts: { roles: [...roles] },
      hint: "Choose a model here, or type `signoff episode review` in the workspace.",
    },
  );
}

async function requestsOf(
  { root, settings }: Pick<EpisodeSurroundings, "root" | "settings">,
  { assetIds = assetKinds, maxIterations }: EpisodeWish,
  { writer, reviewer }: { readonly writer: string; readonly reviewer: string },
): Promise<readonly AssetRequest[]> {
  const requests: AssetRequest[] = [];
  for (const assetId of assetIds) {
    const recipe = await loadRecipe(assetId, root, settings.drafting.recipes);
    const reviewers = [{ model: reviewer }];
    const limit = maxIterations === undefined ? {} : { maxIterations };
    requests.push({ assetId, recipe, writer, reviewers, ...limit });
  }
  return requests;
}

/** A request names no file, and nothing that is not trusted or not there is asked. */
async function requireUsable(
  { settings, runnerFor }: EpisodeSurroundings,
  models: readonly string[],
): Promise<void> {
  for (const model of models) {
    if (model.startsWith("script:")) {
      throw new ModelNotFoundError("Scripts cannot be named over HTTP.", {
        code: "model-not-found",
        facts: { model },
      });
    }
    requireTrusted(settings.trust, modelUse(model, "flag", settings.aliases));
  }
  await requireOffered(runnerFor, models, settings.aliases);
}

/** Folders with an `episode.yaml`. One inside another, or with a store of its own, is not ours. */
async function workspacesBelow(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [{ folder: root, depth: 0 }];
  for (const { folder, depth } of waiting) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    if (folder !== root && (names.has(".signoff") || names.has("signoff.yaml"))) continue;
    if (names.has(layout.episodeYaml)) found.push(folder);
    else if (depth < deepest && waiting.length < mostFolders) {
      const below = entries.filter(isSearched);
      waiting.push(...below.map(({ name }) => ({ folder: join(folder, name), depth: depth + 1 })));
    }
  }
  return found;
}

function isSearched(entry: { readonly name: string; isDirectory(): boolean }): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name);
}
