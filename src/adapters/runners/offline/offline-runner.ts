import { noBrief } from "../../../domain/drafting/draft-input.ts";
import type { ReviewerReply } from "../../../domain/drafting/review.ts";
import type { Json } from "../../../domain/values/json.ts";
import { RunnerError } from "../../../domain/values/workflow-error.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { AskRequest, Runner } from "../../../ports/runner.ts";
import { writeCreatorReply } from "../../../protocol/drafting/creator-reply.ts";
import { writeReviewerReply } from "../../../protocol/drafting/reviewer-reply.ts";
import type { CreatorTask, ReviewerTask } from "../../../protocol/drafting/task.ts";
import { keyTerms } from "./drafting/brief.ts";
import { isSlogan, proseCritic, sloganCritic } from "./drafting/draft-faults.ts";
import { writeProse } from "./drafting/prose-writer.ts";
import { writeSlogan } from "./drafting/slogan-writer.ts";
import { episodeStandIn } from "./episodes/episode-stand-in.ts";
import { judgeStandIn } from "./gates/judge-stand-in.ts";
import { reviewByRules } from "./review-by-rules.ts";
import { analystStandIn } from "./scenarios/analyst-stand-in.ts";
import { userStandIn } from "./scenarios/user-stand-in.ts";
import { codePoints } from "./words.ts";

const offlineModel = "offline/rules";

/** The first that knows a task answers it, in the format a model would answer in. */
const standIns: readonly ((task: Json, seed: number) => string | undefined)[] = [
  episodeStandIn,
  judgeStandIn,
  analystStandIn,
  userStandIn,
  draftStandIn,
];

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

function replyTo({ task, settings }: AskRequest): string {
  const given = memberOf(task, "seed") ?? memberOf(settings, "seed");
  for (const standIn of standIns) {
    const text = standIn(task, typeof given === "number" ? given : 1);
    if (text !== undefined) return text;
  }
  const kind = memberOf(task, "kind") ?? null;
  throw new RunnerError(`${offlineModel} cannot do a task of kind ${JSON.stringify(kind)}.`, {
    code: "offline_task_unsupported",
    facts: { kind },
    hint: "Choose a model for this role.",
  });
}

function draftStandIn(json: Json, seed: number): string | undefined {
  const task = json as unknown as CreatorTask | ReviewerTask | null;
  if (task?.kind === "review") {
    return writeReviewerReply(reviewDraft(task), task.approval, task.phrase);
  }
  if (task?.kind !== "create") return undefined;
  const write = isSlogan(task) ? writeSlogan : writeProse;
  return writeCreatorReply(write({ ...task, brief: subjectOf(task) }, seed), task.reply);
}

/** Prose quotes the text; a slogan takes the words that the text turns on. */
function subjectOf(task: CreatorTask): string {
  const { brief, previousText = "" } = task;
  if (brief !== noBrief) return brief;
  return isSlogan(task) ? keyTerms(previousText).slice(0, 3).join(" ") : previousText;
}

/** Without a brief, a text is not judged by what it is about, and the writer keeps to what the text was about. */
export function reviewDraft(task: ReviewerTask): ReviewerReply {
  const brief = task.brief === noBrief ? "" : task.brief;
  const critic = (isSlogan(task) ? sloganCritic : proseCritic)(brief);
  return reviewByRules(task, critic(task.text));
}

function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [name: string]: Json })[name];
}

function estimatedTokens(text: string): number {
  return Math.ceil(codePoints(text) / 4);
}
