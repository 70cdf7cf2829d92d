import type { ReviewerReply } from "../../../../domain/drafting/review.ts";
import { isAssetKind } from "../../../../domain/episodes/asset-kind.ts";
import { defined } from "../../../../domain/values/defined.ts";
import type { Json } from "../../../../domain/values/json.ts";
import { writeCreatorReply } from "../../../../protocol/drafting/creator-reply.ts";
import { writeReviewerReply } from "../../../../protocol/drafting/reviewer-reply.ts";
import type { CreatorTask, ReviewerTask } from "../../../../protocol/drafting/task.ts";
import {
  writeChunkSummary,
  writeEpisodeSummary,
} from "../../../../protocol/episodes/summary-reply.ts";
import type { SummaryTask } from "../../../../protocol/episodes/summary-task.ts";
import { reviewByRules } from "../review-by-rules.ts";
import { episodeFacts, knownLanguage } from "./episode-facts.ts";
import { episodeFaults } from "./episode-faults.ts";
import { summarizeChunkOffline, summarizeEpisodeOffline } from "./summarize-offline.ts";
import { writeEpisodeOffline } from "./write-offline.ts";

/** The rule-based writer, reviewer and summariser of episodes; undefined for other tasks. */
export function episodeStandIn(json: Json, seed: number): string | undefined {
  const task = json as unknown as CreatorTask | ReviewerTask | SummaryTask | null;
  switch (task?.kind) {
    case "create":
      if (!isAssetKind(task.recipe)) return undefined;
      return writeCreatorReply(writeEpisodeOffline(task, seed), task.reply);
    case "review":
      if (!isAssetKind(task.recipe)) return undefined;
      return writeReviewerReply(reviewEpisodeOffline(task), task.approval, task.phrase);
    case "summarize-chunk":
      return writeChunkSummary(summarizeChunkOffline(task.text, knownLanguage(task.language)));
    case "summarize-episode": {
      const language = knownLanguage(task.language);
      const about = { speakers: task.speakers, ...defined({ language }) };
      return writeEpisodeSummary(summarizeEpisodeOffline(task.parts, about));
    }
    default:
      return undefined;
  }
}

/** Concrete faults with codes, earlier ones kept or closed by id. */
export function reviewEpisodeOffline(task: ReviewerTask): ReviewerReply {
  if (!isAssetKind(task.recipe)) throw new TypeError(`no offline reviewer for ${task.recipe}`);
  return reviewByRules(task, episodeFaults(task.recipe, task.text, episodeFacts(task.brief)));
}
