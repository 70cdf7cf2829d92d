import { decodeAssetJob, decodeSummaryJob } from "../../contract/episodes/episode-jobs.ts";
import type { Job } from "../../ports/flow.ts";
import { assetsKind, draftKind, reviewKind, summaryKind } from "./episode-kinds.ts";
import { partsOf } from "./episode-project.ts";

/** What a run does in an episode's workspace, as its job was frozen. */
export interface EpisodeRun {
  readonly does: "review" | "draft" | "summarize";
  /** Relative to the project's root. */
  readonly workspace: string;
  readonly assetIds: readonly string[];
  /** Whom it asks. */
  readonly models: readonly string[];
  /** Of each asset. */
  readonly maxIterations: readonly number[];
}

/** Undefined for a run of anything but an episode. */
export function episodeRunOf(job: Job): EpisodeRun | undefined {
  const { kind, input } = job;
  switch (kind) {
    case reviewKind:
    case draftKind: {
      const { workspace, draft } = decodeAssetJob(input);
      const models = [draft.creator.model, ...draft.reviewers.map(({ model }) => model)];
      const does = kind === reviewKind ? "review" : "draft";
      return {
        ...{ does, workspace, models },
        assetIds: [draft.assetId],
        maxIterations: [draft.maxTurns],
      };
    }
    case summaryKind: {
      const { workspace, model } = decodeSummaryJob(input);
      return { does: "summarize", workspace, assetIds: [], models: [model], maxIterations: [] };
    }
    case assetsKind: {
      const runs = partsOf(job).flatMap((part) => episodeRunOf(part) ?? []);
      const [first] = runs;
      return first === undefined
        ? undefined
        : {
            ...first,
            assetIds: runs.flatMap(({ assetIds }) => assetIds),
            maxIterations: runs.flatMap(({ maxIterations }) => maxIterations),
            models: [...new Set(runs.flatMap(({ models }) => models))],
          };
    }
    default:
      return undefined;
  }
}
