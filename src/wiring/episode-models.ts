import { relative, resolve } from "node:path";
import type { EpisodeSettings } from "../contract/episodes/episode-yaml.ts";
import { refuseAgents } from "../orchestration/episodes/review-episode.ts";

export interface ModelFlags {
  readonly model?: string;
  readonly reviewerModel?: string;
  readonly script?: string;
}

const offlineModel = "offline/rules";

/** Who writes and who reviews. Commands that `episode.yaml` names count unless a flag says otherwise. */
export function modelsOf(
  flags: ModelFlags,
  about: {
    readonly cwd: string;
    readonly root: string;
    readonly settings: Pick<EpisodeSettings, "agents">;
    readonly roles: readonly ("creator" | "reviewer" | "drafter")[];
  },
): { readonly writer: string; readonly reviewer: string } {
  if (flags.script !== undefined) {
    const model = scriptModel(about.root, resolve(about.cwd, flags.script));
    return { writer: model, reviewer: model };
  }
  const { agents } = about.settings;
  refuseAgents(
    about.roles.filter((role) => {
      const named = role === "reviewer" ? (flags.reviewerModel ?? flags.model) : flags.model;
      return named === undefined && agents[role]?.command !== undefined;
    }),
  );
  const writer = flags.model ?? offlineModel;
  return { writer, reviewer: flags.reviewerModel ?? writer };
}

/** Script files are named relative to the project, so that a run can be resumed from anywhere. */
export function scriptModel(root: string, path: string): string {
  return `script:${relative(root, path)}`;
}
