import { assetsFlow } from "../../orchestration/episodes/assets-flow.ts";
import { draftAssetFlow } from "../../orchestration/episodes/draft-asset-flow.ts";
import { createDraftsRecord } from "../../orchestration/episodes/drafts-record.ts";
import { reviewAssetFlow } from "../../orchestration/episodes/review-asset-flow.ts";
import {
  createReviewRecord,
  type EpisodeRecordParts,
} from "../../orchestration/episodes/review-record.ts";
import { summarizeFlow } from "../../orchestration/episodes/summarize-flow.ts";
import { createSummaryRecord } from "../../orchestration/episodes/summary-record.ts";

/** Everything that works on episodes, loaded together on first use. */
export function episodeFlowsOf(parts: EpisodeRecordParts) {
  return {
    flows: {
      review: reviewAssetFlow,
      draft: draftAssetFlow,
      summary: summarizeFlow,
      assets: assetsFlow,
    },
    records: {
      review: createReviewRecord(parts),
      drafts: createDraftsRecord(parts),
      summary: createSummaryRecord(parts),
    },
  };
}
