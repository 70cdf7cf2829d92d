import { join } from "node:path";
import {
  assetsKind,
  draftEvents,
  draftKind,
  reviewEvents,
  reviewKind,
  summaryEvents,
  summaryKind,
} from "../../orchestration/episodes/episode-kinds.ts";
import type { EpisodeRecordParts } from "../../orchestration/episodes/episode-records.ts";
import type { WorkspaceLock } from "../../orchestration/episodes/episode-state.ts";
import type { Exclusively } from "../../ports/exclusively.ts";
import type { Feature, FeatureParts } from "./feature.ts";
import { laterFlow, laterProjector } from "./load-later.ts";

/** Nothing of it is loaded before an episode is worked on. */
export function episodesFeature(given: FeatureParts): Feature {
  const parts = partsOf(given);
  return {
    flows: [
      [
        reviewKind,
        laterFlow(
          async () => (await import("../../orchestration/episodes/asset-flows.ts")).reviewAssetFlow,
        ),
      ],
      [
        draftKind,
        laterFlow(
          async () => (await import("../../orchestration/episodes/asset-flows.ts")).draftAssetFlow,
        ),
      ],
      [
        summaryKind,
        laterFlow(
          async () =>
            (await import("../../orchestration/episodes/summarize-flow.ts")).summarizeFlow,
        ),
      ],
      [
        assetsKind,
        laterFlow(
          async () => (await import("../../orchestration/episodes/asset-flows.ts")).assetsFlow,
        ),
      ],
    ],
    projectors: [
      laterProjector({ jobs: [reviewKind], kinds: reviewEvents }, async () =>
        (await import("../../orchestration/episodes/episode-records.ts")).createReviewRecord(parts),
      ),
      laterProjector({ jobs: [draftKind], kinds: draftEvents }, async () =>
        (await import("../../orchestration/episodes/episode-records.ts")).createDraftsRecord(parts),
      ),
      laterProjector({ jobs: [summaryKind], kinds: summaryEvents }, async () =>
        (await import("../../orchestration/episodes/episode-records.ts")).createSummaryRecord(
          parts,
        ),
      ),
    ],
  };
}

function partsOf({ root, store, clock, crash, exclusively }: FeatureParts): EpisodeRecordParts {
  return {
    store,
    journal: store.runs,
    async runOf(run) {
      const record = await store.runs.load(run);
      if (record === undefined) throw new Error(`there is no run ${run}`);
      return record;
    },
    async openFolder(workspace) {
      const { openEpisodeFolder } = await import("../../adapters/workspace/episode-folder.ts");
      return openEpisodeFolder(join(root, workspace), crash);
    },
    lock: workspaceLock({ exclusively }),
    clock,
  };
}

/** Shared files of workspaces are changed by one process at a time. */
export function workspaceLock({
  exclusively,
}: {
  readonly exclusively: Exclusively;
}): WorkspaceLock {
  return (work) => exclusively("episodes", work);
}
