import type { CreatorReply } from "../../../domain/drafting/candidate.ts";
import type { ReviewerReply } from "../../../domain/drafting/review.ts";
import type { KnownLanguage } from "../../../domain/episodes/language.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { Json } from "../../../domain/values/json.ts";
import type { CreatorTask, ReviewerTask } from "../../../protocol/drafting/task.ts";
import {
  writeChunkSummary,
  writeEpisodeSummary,
} from "../../../protocol/episodes/summary-reply.ts";
import type { SummaryTask } from "../../../protocol/episodes/summary-task.ts";
import { reviewEpisodeOffline } from "./review-offline.ts";
import { summarizeChunkOffline, summarizeEpisodeOffline } from "./summarize-offline.ts";
import { isEpisodeRecipe, writeEpisodeOffline } from "./write-offline.ts";

type EpisodeTask = CreatorTask | ReviewerTask | SummaryTask;

/** The rule-based writer, reviewer and summariser of episodes; undefined for tasks of others. */
export function createEpisodeStandIn(writers: {
  readonly writeCreatorReply: (reply: CreatorReply, form: CreatorTask["reply"]) => string;
  readonly writeReviewerReply: (
    reply: ReviewerReply,
    form: ReviewerTask["approval"],
    phrase: string,
  ) => string;
}): (task: Json, seed: number) => string | undefined {
  return (json, seed) => {
    const task = json as unknown as EpisodeTask;
    switch (task.kind) {
      case "create":
        return isEpisodeRecipe(task.recipe)
          ? writers.writeCreatorReply(writeEpisodeOffline(task, seed), task.reply)
          : undefined;
      case "review":
        return isEpisodeRecipe(task.recipe)
          ? writers.writeReviewerReply(reviewEpisodeOffline(task), task.approval, task.phrase)
          : undefined;
      case "summarize-chunk":
        return writeChunkSummary(summarizeChunkOffline(task.text, known(task.language)));
      case "summarize-episode": {
        const language = known(task.language);
        const about = { speakers: task.speakers, ...defined({ language }) };
        return writeEpisodeSummary(summarizeEpisodeOffline(task.parts, about));
      }
      default:
        return undefined;
    }
  };
}

function known(language: string): KnownLanguage | undefined {
  const short = language.slice(0, 2);
  return short === "de" || short === "en" ? short : undefined;
}
