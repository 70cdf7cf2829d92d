import {
  assetsFlow,
  draftAssetFlow,
  reviewAssetFlow,
} from "../../orchestration/episodes/asset-flows.ts";
import {
  createDraftsRecord,
  createReviewRecord,
  createSummaryRecord,
  type EpisodeRecordParts,
} from "../../orchestration/episodes/episode-records.ts";
import { summarizeFlow } from "../../orchestration/episodes/summarize-flow.ts";

/** Everything that works on episodes, loaded together on first use. */
export function episodeFlowsOf(parts: EpisodeRecordParts) {
  return {
    review: reviewAssetFlow,
    draft: draftAssetFlow,
    summary: summarizeFlow,
    assets: assetsFlow,
    reviewRecord: createReviewRecord(parts),
    draftsRecord: createDraftsRecord(parts),
    summaryRecord: createSummaryRecord(parts),
  };
}
