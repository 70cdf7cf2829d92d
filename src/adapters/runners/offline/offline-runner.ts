import { noBrief } from "../../../domain/drafting/draft-input.ts";
import type { ReviewerReply } from "../../../domain/drafting/review.ts";
import { isAssetKind } from "../../../domain/episodes/asset-kind.ts";
import { countCodePoints } from "../../../domain/values/count-code-points.ts";
import type { Json } from "../../../domain/values/json.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AskRequest, Runner } from "../../../ports/runner.ts";
import { writeCreatorReply } from "../../../protocol/drafting/creator-reply.ts";
import { writeReviewerReply } from "../../../protocol/drafting/reviewer-reply.ts";
import type { CreatorTask, ReviewerTask } from "../../../protocol/drafting/task.ts";
import {
  writeChunkSummary,
  writeEpisodeSummary,
} from "../../../protocol/episodes/summary-reply.ts";
import type { SummaryTask } from "../../../protocol/episodes/summary-task.ts";
import type { GateReviewTask } from "../../../protocol/gates/task.ts";
import type { AnalystTask } from "../../../protocol/scenarios/analyst-prompt.ts";
import type { UserTask } from "../../../protocol/scenarios/user-prompt.ts";
import { briefTerms } from "./drafting/brief.ts";
import { isSlogan, proseCritic, sloganCritic } from "./drafting/draft-faults.ts";
import { writeProse } from "./drafting/prose-writer.ts";
import { writeSlogan } from "./drafting/slogan-writer.ts";
import { episodeCritic } from "./episodes/episode-faults.ts";
import { summarizeChunkOffline, summarizeEpisodeOffline } from "./episodes/summarize-offline.ts";
import { writeEpisodeOffline } from "./episodes/write-offline.ts";
import { judgeStandIn } from "./gates/judge-stand-in.ts";
import { reviewByRules } from "./review-by-rules.ts";
import { analystStandIn } from "./scenarios/analyst-stand-in.ts";
import { userStandIn } from "./scenarios/user-stand-in.ts";

const offlineModel = "offline/rules";

type Task = CreatorTask | ReviewerTask | SummaryTask | GateReviewTask | AnalystTask | UserTask;

/**
 * Rule-based writers and reviewers that need no network. They read the task and never the prompt, so the same
 * task and seed give the same text on every machine.
 */
export function createOfflineRunner({ clock }: { readonly clock: Pick<Clock, "now"> }): Runner {
  return {
    async attempt(request, signal, onText) {
      signal.throwIfAborted();
      const startedAt = clock.now();
      const text = replyTo(request);
      for (const part of text.match(/\S+\s*|\s+/gu) ?? []) {
        signal.throwIfAborted();
        onText?.(part);
      }
      const usage = {
        input: estimatedTokens(request.system) + estimatedTokens(request.user),
        output: estimatedTokens(text),
        microUsd: 0,
      };
      const finishedAt = clock.now();
      return {
        kind: "replied",
        reply: { text, model: offlineModel, finish: "complete", usage, startedAt, finishedAt },
      };
    },
    models: async () => [offlineModel],
  };
}

/** In the format a model would answer in. */
function replyTo(request: AskRequest): string {
  const task = request.task as unknown as Task | null;
  switch (task?.kind) {
    case "create":
      return writeCreatorReply(writeDraft(task, request.settings), task.reply);
    case "review":
      return writeReviewerReply(reviewDraft(task), task.approval, task.phrase);
    case "summarize-chunk":
      return writeChunkSummary(summarizeChunkOffline(task.text, task.language));
    case "summarize-episode":
      return writeEpisodeSummary(summarizeEpisodeOffline(task.parts, task));
    case "review-bundle":
    case "review-sweep":
      return judgeStandIn(task);
    case "analyse-pack":
      return analystStandIn(task);
    case "play-user":
      return userStandIn(task);
    default:
      throw unsupported((task as { readonly kind?: Json } | null)?.kind ?? null);
  }
}

function unsupported(kind: Json): RunnerError {
  return new RunnerError(`${offlineModel} cannot do a task of kind ${JSON.stringify(kind)}.`, {
    code: "offline_task_unsupported",
    facts: { kind },
    hint: "Choose a model for this role.",
  });
}

function writeDraft(task: CreatorTask, settings: Json) {
  const seed = task.seed ?? (settings as { readonly seed?: number } | null)?.seed ?? 1;
  const { recipe, brief, previousText = "" } = task;
  if (isAssetKind(recipe)) return writeEpisodeOffline(task, seed);
  if (brief !== noBrief) return (isSlogan(task) ? writeSlogan : writeProse)(task, seed);
  // Prose quotes the text; a slogan takes the words that the text turns on.
  if (!isSlogan(task)) return writeProse({ ...task, brief: previousText }, seed);
  return writeSlogan({ ...task, brief: briefTerms(previousText).slice(0, 3).join(" ") }, seed);
}

/** Without a brief, a text is not judged by what it is about, and the writer keeps to what the text was about. */
export function reviewDraft(task: ReviewerTask): ReviewerReply {
  const brief = task.brief === noBrief ? "" : task.brief;
  const draftCritic = isSlogan(task) ? sloganCritic : proseCritic;
  const critic = isAssetKind(task.recipe) ? episodeCritic(task.recipe, brief) : draftCritic(brief);
  return reviewByRules(task, critic(task.text));
}

function estimatedTokens(text: string): number {
  return Math.ceil(countCodePoints(text) / 4);
}
