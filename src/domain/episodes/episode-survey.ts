import type { TextSurvey } from "./asset-status.ts";
import type { Freshness } from "./derived-files.ts";
import type { Track } from "./episode-workspace.ts";

/** What was found on disk, before any conclusions. */
export interface EpisodeSurvey {
  readonly episodeId?: string;
  /** Files that could not be read or break a rule. */
  readonly problems: readonly EpisodeProblem[];
  readonly stages: { readonly [stage in EpisodeStage]: StageSurvey };
  readonly texts: readonly TextSurvey[];
  readonly tracks: readonly Track[];
}

export interface EpisodeProblem {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
}

export const episodeStages = [
  "transcript",
  "chapters",
  "chunks",
  "chunk_summaries",
  "episode_summary",
] as const;

export type EpisodeStage = (typeof episodeStages)[number];

export interface StageSurvey {
  readonly count: number;
  /** How many there should be, when that is known. */
  readonly expected?: number;
  readonly freshness: Freshness;
}
