import type { Given } from "../contract/http/route.ts";
import type { Routes } from "../contract/http/routes.ts";
import type { EpisodeStatus } from "../domain/episodes/episode-status.ts";
import type { EpisodeProject } from "../orchestration/episodes/episode-project.ts";
import type { WorkspaceLock } from "../orchestration/episodes/episode-state.ts";
import type { AssetRequest, Workspace } from "../orchestration/episodes/freeze-asset.ts";
import type { Budget } from "../ports/flow.ts";

/** Which texts to work on and with which models; default: the models of the settings. */
export type EpisodeRequest = Given<Routes["POST /api/v1/episodes/:episode_id/review"]>["body"];

export interface FoundEpisode extends Workspace {
  /** Derived from the path, so that no URL contains one. */
  readonly id: string;
}

/** What handlers about episodes act on. */
export interface EpisodeParts {
  readonly project: EpisodeProject;
  readonly lock: WorkspaceLock;
  /** The settings' budget for runs that are started here. */
  readonly budget: Budget;
  /** Every workspace of this project, by path. */
  find(): Promise<readonly FoundEpisode[]>;
  /** The one with this id. */
  named(id: string): Promise<FoundEpisode | undefined>;
  /** The state of a workspace and its texts, or of only one of them, derived from files and record. */
  status(workspace: Workspace, only?: string): Promise<EpisodeStatus>;
  /** Programs that the workspace names and that are not installed. */
  missingAgents(
    workspace: Workspace,
  ): Promise<readonly { readonly role: string; readonly program: string }[]>;
  /** Chooses recipes and models; throws if the request is invalid. */
  requests(
    workspace: Workspace,
    asked: EpisodeRequest,
    roles: readonly ("creator" | "reviewer" | "drafter")[],
  ): Promise<readonly AssetRequest[]>;
}
