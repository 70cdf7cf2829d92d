import { join } from "node:path";
import { openEpisodeFolder } from "../adapters/workspace/episode-folder.ts";
import { assetsFlow } from "../orchestration/episodes/assets-flow.ts";
import { draftAssetFlow } from "../orchestration/episodes/draft-asset-flow.ts";
import { createDraftsRecord, draftKind } from "../orchestration/episodes/drafts-record.ts";
import { assetsKind } from "../orchestration/episodes/episode-run.ts";
import type { WorkspaceLock } from "../orchestration/episodes/episode-state.ts";
import { reviewAssetFlow } from "../orchestration/episodes/review-asset-flow.ts";
import {
  createReviewRecord,
  type EpisodeRecordParts,
  reviewKind,
} from "../orchestration/episodes/review-record.ts";
import { summarizeFlow } from "../orchestration/episodes/summarize-flow.ts";
import { createSummaryRecord, summaryKind } from "../orchestration/episodes/summary-record.ts";
import type { Repos } from "../ports/repos.ts";
import type { Store } from "../ports/store.ts";
import type { Feature, FeatureParts } from "./feature.ts";

export function episodesFeature({ root, store, crash }: FeatureParts): Feature {
  const parts: EpisodeRecordParts = {
    journal: store.runs,
    async runOf(run) {
      const record = await store.runs.load(run);
      if (record === undefined) throw new Error(`there is no run ${run}`);
      return record;
    },
    openFolder: (workspace) => openEpisodeFolder(join(root, workspace), crash),
    lock: workspaceLock(store),
  };
  return {
    flows: [
      [reviewKind, reviewAssetFlow],
      [draftKind, draftAssetFlow],
      [summaryKind, summarizeFlow],
      [assetsKind, assetsFlow],
    ],
    projectors: [createReviewRecord(parts), createDraftsRecord(parts), createSummaryRecord(parts)],
  };
}

/** Shared files of workspaces change while the store's write lock is held, and by one process at a time. */
export function workspaceLock(store: Store<Repos>): WorkspaceLock {
  return (work) => store.transaction(work);
}
