import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { openEpisodeFolder } from "../../adapters/workspace/episode-folder.ts";
import { assetKinds } from "../../domain/episodes/asset-kind.ts";
import { layout } from "../../domain/episodes/layout.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { EpisodeParts, FoundEpisode } from "../../http/episode-parts.ts";
import { episodeAddress } from "../../orchestration/episodes/asset-loops.ts";
import { loadEpisodeSettings } from "../../orchestration/episodes/load-episode.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import type { RunnerFor } from "../../ports/runner.ts";
import { missingAgents } from "../features/episode-agents.ts";
import { episodeStatusOf, workspacesBelow } from "../features/episode-reading.ts";
import { episodeProject } from "../features/episode-workspace.ts";
import { workspaceLock } from "../features/episodes.ts";
import { planAsset, requireAssetModels } from "../features/plan-asset.ts";
import type { Project } from "../project/project.ts";
import { realPath } from "../project/project-root.ts";
import type { Environment } from "../settings/environment.ts";
import type { TrustGuard } from "../settings/guard.ts";
import { refuseScripts } from "./refuse-scripts.ts";

interface EpisodeSurroundings {
  readonly root: string;
  readonly project: Project;
  readonly settings: Settings;
  readonly guard: TrustGuard;
  readonly environment: Environment;
  readonly runnerFor: RunnerFor;
}

export function studioEpisodes(surroundings: EpisodeSurroundings): EpisodeParts {
  const { project } = surroundings;
  const root = realPath(surroundings.root);
  const { language: set } = surroundings.settings.episodes;
  const language = set === "auto" ? {} : { language: set };
  const budget = budgetOf(undefined, surroundings.settings) ?? {};
  /** Folders by id, so that a request about one episode does not search the whole project. */
  const known = new Map<string, string>();
  const open = async (path: string): Promise<FoundEpisode> => {
    const folder = await openEpisodeFolder(path);
    const name = relative(root, folder.root) || ".";
    const id = episodeAddress(name);
    known.set(id, path);
    return { id, folder, path: name, ...language };
  };
  const find = async (): Promise<readonly FoundEpisode[]> => {
    const found = await Promise.all((await workspacesBelow(root)).map(open));
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  };
  return {
    project: episodeProject(project),
    lock: workspaceLock(project),
    budget,
    find,
    async named(id) {
      const path = known.get(id);
      const isThere = path !== undefined && existsSync(join(path, layout.episodeYaml));
      return isThere ? open(path) : (await find()).find((one) => one.id === id);
    },
    status: (workspace, only) =>
      episodeStatusOf(workspace, { ...surroundings, root, records: project.store.runs }, only),
    missingAgents: ({ folder }) => missingAgents(folder, surroundings.environment),
    async requests({ folder }, asked, roles) {
      const { agents } = await loadEpisodeSettings(folder);
      if (asked.model === undefined) refuseAgents(roles.filter((role) => agents[role]?.command));
      refuseScripts([asked]);
      const { assetIds = assetKinds, ...request } = asked;
      const { settings, runnerFor, guard } = surroundings;
      const isFirstDraft = roles.includes("drafter");
      const planned = await Promise.all(
        assetIds.map((assetId) =>
          planAsset({ root, settings }, { ...request, assetId, isFirstDraft }),
        ),
      );
      const about = { settings, guard, runnerFor, budget, at: project.clock.now() };
      await requireAssetModels(
        planned.flatMap(({ uses }) => uses),
        about,
      );
      return planned.map((one) => one.request);
    },
  };
}

/** Commands of a workspace run only from a terminal, where the user is asked to trust them. */
function refuseAgents(roles: readonly string[]): void {
  if (roles.length === 0) return;
  throw new ConfigurationError(
    `episode.yaml names programs for ${roles.join(" and ")}; they are started from a terminal only.`,
    {
      code: "agents-need-terminal",
      facts: { roles: [...roles] },
      hint: "Choose a model here, or run `signoff episode review` in the workspace.",
    },
  );
}
