import { relative, resolve } from "node:path";
import type { AgentRole, EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import type { Recipe } from "../../domain/drafting/recipe.ts";
import { type ModelUse, modelUse, standInModel } from "../../domain/settings/choose-models.ts";
import { requireTrusted } from "../../domain/settings/require-trusted.ts";
import { defined } from "../../domain/values/defined.ts";
import type { AssetRequest } from "../../orchestration/episodes/freeze-asset.ts";
import type { Budget } from "../../ports/flow.ts";
import { episodeAgents } from "../../wiring/features/episode-agents.ts";
import type { OpenedWorkspace } from "../../wiring/features/episode-workspace.ts";
import { loadRecipe } from "../../wiring/features/recipes.ts";
import { requireOffered, requirePrices } from "../../wiring/models/check-models.ts";
import type { ProjectSettings } from "../../wiring/project/project.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import { budgetOf } from "../../wiring/settings/budget-of.ts";
import type { LoadedSettings } from "../../wiring/settings/settings.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { runnersFor } from "../shell/runners-for.ts";

export interface ModelFlags {
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly script?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface Pair {
  readonly writer: ModelUse;
  readonly reviewer: ModelUse;
}

/** Who writes and who reviews in one command on an episode, and with what settings. */
export interface People extends Pair {
  /** What the project is opened with. */
  readonly access: Pick<ProjectSettings, "root" | "workspace" | "loaded" | "named" | "agents">;
  readonly budget: Budget;
  /** The workspace with what the settings say about its texts. */
  readonly workspace: OpenedWorkspace;
  /** The recipe of an asset and how it is worked on, without whom. */
  requestFor(assetId: string): Promise<Omit<AssetRequest, "writer" | "reviewers">>;
  /** A recipe's own models hold where nobody named another. */
  pairFor(recipe: Recipe): Pair;
  /** Refuses what cannot work before anything is written. */
  check(pairs: readonly Pair[]): Promise<void>;
}

/** A flag counts before `agents` of `episode.yaml`, and those before the environment and the project's settings. */
export async function peopleOf(
  cli: CliContext,
  flags: ModelFlags,
  about: {
    readonly workspace: OpenedWorkspace;
    readonly settings: Pick<EpisodeSettings, "agents">;
    readonly writes: Exclude<AgentRole, "reviewer">;
  },
): Promise<People> {
  const { root, folder } = about.workspace;
  const { model, reviewerModel } = flags;
  const quiet = flags.quiet === true || flags.json === true;
  const loaded = await settingsFor(cli, {
    ...{ root, quiet },
    flags: {
      ...defined({ model, reviewerModel }),
    },
  });
  const { settings } = loaded;
  const asked = unnamedRoles(flags, about.writes);
  const agents = await episodeAgents(about.settings, asked, {
    environment: cli.environment,
    workspace: folder.root,
    trust: cli.globals().trust === true,
  });
  const pair = pairOf(cli, flags, { root, loaded, agents: agents.models, writes: about.writes });
  const budget = budgetOf(settings.limits.budget);
  const byAgents = Object.values(agents.models);
  const named = [pair.writer, pair.reviewer]
    .filter((use) => !use.isFromProject)
    .map((use) => use.model);
  return {
    ...pair,
    budget,
    workspace: withLanguage(about.workspace, settings.episodes.language),
    access: {
      ...{ root, workspace: folder.root, loaded, agents: agents.commands },
      // What this command names was checked; a run it goes on with may have been started with other models.
      named: "any",
    },
    requestFor: (assetId) => requestFor(assetId, root, loaded),
    pairFor: (recipe) => ofRecipe(recipe, pair, loaded),
    async check(pairs) {
      const uses = pairs.flatMap((one) => [one.writer, one.reviewer]);
      for (const use of uses) requireTrusted(settings.trust, use);
      const real = uses
        .map((use) => use.model)
        .filter((one) => one !== standInModel && !one.startsWith("script:"))
        .filter((one) => !byAgents.includes(one));
      if (real.length === 0) return;
      requirePrices(budget, real, { settings, at: clockOf(cli.environment).now() });
      await requireOffered(runnersFor(cli, root, { ...loaded, named }), real, settings.aliases);
    },
  };
}

/** Script files are named relative to the project, so that a run can be resumed from anywhere. */
export function scriptModel(root: string, path: string): string {
  return `script:${relative(root, path)}`;
}

function unnamedRoles(
  { model, reviewerModel, script }: ModelFlags,
  writes: "creator" | "drafter",
): readonly AgentRole[] {
  if (model !== undefined || script !== undefined) return [];
  if (writes === "drafter") return ["drafter"];
  return reviewerModel === undefined ? ["creator", "reviewer"] : ["creator"];
}

function pairOf(
  cli: CliContext,
  flags: ModelFlags,
  about: {
    readonly root: string;
    readonly loaded: LoadedSettings;
    readonly agents: { readonly [role in AgentRole]?: string };
    readonly writes: "creator" | "drafter";
  },
): Pair {
  const { root, agents, writes } = about;
  const { models } = about.loaded.settings;
  const own = (model: string): ModelUse => ({ model, isFromProject: false });
  const here = (use: ModelUse & { readonly source: string }): ModelUse =>
    use.source === "flag" && use.model.startsWith("script:")
      ? own(scriptModel(root, resolve(cli.cwd, use.model.slice("script:".length))))
      : use;
  if (flags.script !== undefined) {
    const script = own(scriptModel(root, resolve(cli.cwd, flags.script)));
    return { writer: script, reviewer: script };
  }
  const byAgent = agents[writes];
  const writer = byAgent === undefined ? here(models.writer) : own(byAgent);
  if (flags.reviewerModel !== undefined) return { writer, reviewer: here(models.reviewer) };
  if (flags.model !== undefined) return { writer, reviewer: writer };
  const agent = agents.reviewer;
  if (agent !== undefined) return { writer, reviewer: own(agent) };
  return { writer, reviewer: models.reviewer.source === "default" ? writer : models.reviewer };
}

function ofRecipe(recipe: Recipe, pair: Pair, { settings }: LoadedSettings): Pair {
  const { models, aliases } = settings;
  const isUnsaid = pair.writer.model === standInModel && models.writer.source === "default";
  const named = (model: string | undefined): ModelUse | undefined =>
    model === undefined || !isUnsaid
      ? undefined
      : { ...modelUse(model, "flag", aliases), isFromProject: true };
  const writer = named(recipe.creator.model) ?? pair.writer;
  const reviewer =
    named(recipe.reviewer.model) ?? (pair.reviewer === pair.writer ? writer : pair.reviewer);
  return { writer, reviewer };
}

async function requestFor(
  assetId: string,
  root: string,
  { settings, entries }: LoadedSettings,
): Promise<Omit<AssetRequest, "writer" | "reviewers">> {
  const { temperature, maxTokens, episodes, drafting } = settings;
  const recipe = await loadRecipe(assetId, root, drafting.recipes);
  const limit = entries.find(({ name }) => name === "episodes.max_iterations");
  const isLimitSet = limit !== undefined && limit.source !== "default";
  return {
    assetId,
    recipe: isLimitSet ? { ...recipe, maxTurns: episodes.maxIterations } : recipe,
    ...defined({ temperature, maxTokens }),
  };
}

function withLanguage(workspace: OpenedWorkspace, language: string): OpenedWorkspace {
  return language === "auto" ? workspace : { ...workspace, language };
}
