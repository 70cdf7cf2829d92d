import type { EpisodeProject } from "../orchestration/episodes/episode-project.ts";
import type { WorkspaceLock } from "../orchestration/episodes/episode-state.ts";
import type { AssetRequest, Workspace } from "../orchestration/episodes/freeze-asset.ts";
import type { Budget } from "../ports/flow.ts";

/** Who works on which texts; absent models are those of the settings. */
export interface EpisodeRequest {
  readonly assetIds?: readonly string[];
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly maxIterations?: number;
}

export interface FoundEpisode extends Workspace {
  /** Made from the path, so that no address holds one. */
  readonly id: string;
}

/** What handlers about episodes act on. */
export interface EpisodeParts {
  readonly project: EpisodeProject;
  readonly lock: WorkspaceLock;
  /** The settings' bound on what is started here. */
  readonly budget: Budget;
  /** Every workspace of this project, by path. */
  find(): Promise<readonly FoundEpisode[]>;
  /** Programs that the workspace names and that are not installed. */
  missingAgents(
    workspace: Workspace,
  ): Promise<readonly { readonly role: string; readonly program: string }[]>;
  /** Settles recipes and models; throws what is wrong with the request. */
  requests(
    workspace: Workspace,
    asked: EpisodeRequest,
    roles: readonly ("creator" | "reviewer" | "drafter")[],
  ): Promise<readonly AssetRequest[]>;
}
