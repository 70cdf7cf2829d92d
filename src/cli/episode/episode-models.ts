import type { AgentRole, EpisodeSettings } from "../../contract/episodes/episode-yaml.ts";
import type { ModelUse } from "../../domain/settings/choose-models.ts";
import { defined } from "../../domain/values/defined.ts";
import { choosePair } from "../../orchestration/drafting/plan-draft.ts";
import { budgetOf } from "../../orchestration/runs/budget-of.ts";
import type { Budget } from "../../ports/flow.ts";
import { episodeAgents, unnamedRoles } from "../../wiring/features/episode-agents.ts";
import type { OpenedWorkspace } from "../../wiring/features/episode-workspace.ts";
import {
  type AskedAsset,
  type PlannedAsset,
  planAsset,
  requireAssetModels,
} from "../../wiring/features/plan-asset.ts";
import { runnersOf } from "../../wiring/models/runners.ts";
import type { ProjectSettings } from "../../wiring/project/project.ts";
import { clockOf } from "../../wiring/project/system-clock.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { settingsFor } from "../shell/cli-settings.ts";
import { type ModelFlags, modelFlags } from "../shell/model-flags.ts";
import { isQuiet, type QuietFlags } from "../shell/quiet-flags.ts";

export interface EpisodeModelFlags extends ModelFlags, QuietFlags {}

/** The models and settings of one command on an episode. */
export interface EpisodeModels {
  readonly writer: ModelUse;
  /** What the project is opened with. */
  readonly access: Pick<ProjectSettings, "root" | "workspace" | "loaded" | "agents">;
  readonly budget: Budget;
  /** The workspace with what the settings say about its texts. */
  readonly workspace: OpenedWorkspace;
  plan(asked: AskedAsset): Promise<PlannedAsset>;
  /** Refuses what cannot work before anything is written. */
  check(uses: readonly ModelUse[]): Promise<void>;
}

/** A flag takes precedence over `agents` of `episode.yaml`, which precede the environment and the project's settings. */
export async function modelsOfEpisode(
  cli: CliContext,
  flags: EpisodeModelFlags,
  about: {
    readonly workspace: OpenedWorkspace;
    readonly settings: Pick<EpisodeSettings, "agents">;
    readonly writes: Exclude<AgentRole, "reviewer">;
  },
): Promise<EpisodeModels> {
  const { root, folder } = about.workspace;
  const quiet = isQuiet(flags);
  const loaded = await settingsFor(cli, { root, quiet, flags: modelFlags(cli, root, flags) });
  const { settings } = loaded;
  const { commands, models } = await episodeAgents(
    about.settings,
    unnamedRoles({ ...flags, model: flags.model ?? flags.script }, about.writes),
    {
      ...{ environment: cli.environment, workspace: folder.root, guard: loaded.guard },
      trust: cli.globals().trust === true,
    },
  );
  const agents = defined({ writer: models[about.writes], reviewer: models.reviewer });
  const budget = budgetOf(undefined, settings) ?? {};
  return {
    writer: choosePair({ agents }, settings).writer,
    budget,
    workspace: withLanguage(about.workspace, settings.episodes.language),
    access: { root, workspace: folder.root, loaded, agents: commands },
    plan: (asked) => planAsset({ root, settings }, { agents, ...asked }),
    check: (uses) =>
      requireAssetModels(uses, {
        ...{ settings, guard: loaded.guard, budget, agents: Object.values(models) },
        runnerFor: runnersOf({ ...cli, root, loaded }, { workspace: folder.root }),
        at: clockOf(cli.environment).now(),
      }),
  };
}

function withLanguage(workspace: OpenedWorkspace, language: string): OpenedWorkspace {
  return language === "auto" ? workspace : { ...workspace, language };
}
