import { decodeReviewJob, encodeReviewOutcome } from "../../contract/gates/review-job.ts";
import { encodeReviewResult } from "../../contract/gates/sweep-job.ts";
import { isSameModel, modelPartition } from "../../domain/gates/model-partition.ts";
import { pairsOfJob, type ReviewJob, type ReviewOutcome } from "../../domain/gates/review-job.ts";
import { sumOf } from "../../domain/models/known-amounts.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Usage } from "../../ports/runner.ts";
import { replyAuthor } from "../../protocol/drafting/reviewer-reply.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { gateReviewSystemPrompt, renderBlockRepairPrompt } from "../../protocol/gates/prompt.ts";
import { type GateReviewTask, renderTask } from "../../protocol/gates/task.ts";

import { askOneReadable } from "../runs/ask-readable.ts";
import {
  doubtsIn,
  firstTask,
  furtherTask,
  openPairs,
  type ReadReplies,
  type ReadReply,
  readReplies,
  readReply,
} from "./read-review.ts";

/** Key of the call whose reply is the review; a run that has it recorded can be finished without asking. */
export const reviewKey: Key = key("review");
export const repairKey: Key = key("review", "repair", 1);
const replyTokens = 700;

interface ReviewerReply {
  readonly text: string;
  readonly model: string;
  readonly at: string;
  readonly usage?: Usage;
  readonly microUsd?: number;
}

interface Reviewed {
  readonly read: ReadReplies;
  readonly replies: readonly ReviewerReply[];
}

/** One plan, whatever its shape: ask, read, ask once more for exactly what is missing or doubtful, emit the result. */
export async function gateReviewFlow(ctx: FlowContext, input: Json): Promise<Json> {
  const job = decodeReviewJob(input);
  const { read, replies } = job.live
    ? await reviewByAgent(ctx, job)
    : await reviewByModel(ctx, job);
  const outcome = outcomeOf(job, read, replies);
  ctx.emit({ kind: "gates-reviewed", data: encodeReviewOutcome(outcome) });
  const { partition, missing, answeredModel } = outcome;
  return encodeReviewResult({
    outcome: missing.length === 0 ? "completed" : "unreadable",
    partition,
    missing: missing.length,
    answeredModel,
    ...costOf(replies),
  });
}

function costOf(replies: readonly ReviewerReply[]) {
  const usages = replies.map(({ usage }) => usage);
  return defined({
    tokens: sumOf(usages.map((usage) => usage && usage.input + usage.output)),
    microUsd: sumOf(replies.map(({ usage, microUsd }) => usage?.microUsd ?? microUsd)),
  });
}

interface ReviewAsk extends Ask {
  readonly job: ReviewJob;
  readonly task: GateReviewTask;
}

async function reviewByModel(ctx: FlowContext, job: ReviewJob): Promise<Reviewed> {
  const nonceOf = (name: string) => ctx.nonce(name);
  const asksDoubts = asksAboutDoubts(job);
  let open = pairsOfJob(job);
  const first = askOf(reviewKey, job, firstTask(job, nonceOf));
  const answered = await askOneReadable<ReviewAsk, ReadReply>(ctx, first, {
    read: (ask, reply) => {
      const read = readReply(ask.task, reply.text);
      open = openPairs(read, asksDoubts);
      return open.length === 0
        ? { kind: "readable", value: read }
        : { kind: "unreadable", problems: problemsOf(read) };
    },
    repair: (_, { problems, isCut }) => {
      const further = furtherTask(job, isCut ? pairsOfJob(job) : open, nonceOf);
      return askOf(repairKey, further.job, further.task, renderFurther(further.task, problems));
    },
  });
  const replies = answered.replies.map((reply) => ({ ...reply, at: reply.finishedAt }));
  return { read: readReplies(job, answered.replies, { nonceOf, asksDoubts }), replies };
}

/** Scripts and stand-ins say the same again. */
export function asksAboutDoubts({ model }: Pick<ReviewJob, "model">): boolean {
  return replyAuthor(model) !== "script";
}

function renderFurther(task: GateReviewTask, problems: readonly string[]): string {
  const shape = task.kind === "review-bundle" ? { bundle: task } : { sweep: task };
  return renderBlockRepairPrompt(
    shape,
    problems.map((message) => ({ message })),
  );
}

function problemsOf(read: ReadReply): readonly string[] {
  const { problems, missing } = read;
  return [
    ...problems.map(({ message }) => message),
    ...missing.map(({ notePath, gateId }) => `no readable block for ${notePath} and ${gateId}`),
    ...doubtsIn(read).map(
      ({ notePath, gateId, doubt }) =>
        `the result for ${notePath} and ${gateId} is not clear: ${doubt}`,
    ),
  ];
}

/** The same pipeline, suspended after rendering: the prompt is the question, the ingested text the answer. */
async function reviewByAgent(ctx: FlowContext, job: ReviewJob): Promise<Reviewed> {
  const nonceOf = (name: string) => ctx.nonce(name);
  const task = firstTask(job, nonceOf);
  const replies = [await waitForReply(ctx, reviewKey, renderTask(task))];
  const read = readReply(task, replies[0]?.text ?? "");
  const open = doubtsIn(read);
  if (open.length > 0 && read.missing.length === 0) {
    const further = furtherTask(job, open, nonceOf);
    const text = renderFurther(further.task, problemsOf(read));
    replies.push(await waitForReply(ctx, repairKey, text));
  }
  const how = { nonceOf, asksDoubts: true };
  return { read: readReplies(job, replies, how), replies };
}

async function waitForReply(ctx: FlowContext, key: Key, text: string) {
  const answer = await ctx.waitForDecision(key, {
    kind: "live-review",
    text,
    choices: ["ingest"],
    context: { system: gateReviewSystemPrompt },
  });
  const { text: reply = "", comment: model = "", at } = answer;
  return { text: reply, model, at, finish: "complete" as const };
}

function outcomeOf(
  job: ReviewJob,
  read: ReadReplies,
  replies: readonly ReviewerReply[],
): ReviewOutcome {
  const answered = replies[0]?.model || job.model;
  const other = replies.find(({ model }) => model !== "" && !isSameModel(answered, model, job));
  const same = isSameModel(job.model, answered, job);
  const shared = {
    askedModel: job.model,
    answeredModel: answered,
    partition: partitionOf(job, same ? undefined : answered),
    raw: replies.map(({ text }) => text).join("\n"),
    finishedAt: replies.at(-1)?.at ?? "",
  };
  if (other !== undefined)
    return {
      ...shared,
      reviews: [],
      missing: pairsOfJob(job),
      problem: `two models answered one run: ${answered} and ${other.model}`,
    };
  if (read.missing.length === 0) return { ...shared, reviews: read.reviews, missing: [] };
  const names = read.missing.map(({ notePath, gateId }) => `${notePath}:${gateId}`).join(", ");
  const problem = `missing gate reviews in ${job.shape} output: ${names}`;
  return { ...shared, reviews: [], missing: read.missing, problem };
}

/** What another model says in place of a panel's member does not count. */
function partitionOf(job: ReviewJob, other: string | undefined): string {
  const { member } = job;
  if (member === undefined) return modelPartition(other ?? job.model, job);
  return other === undefined ? member.judge : modelPartition(`${member.judge}-${other}`, job);
}

function askOf(at: Key, job: ReviewJob, task: GateReviewTask, user = renderTask(task)): ReviewAsk {
  return {
    key: at,
    job,
    task,
    request: {
      role: "judge",
      model: job.model,
      system: gateReviewSystemPrompt,
      user,
      expects: "blocks",
      settings: { temperature: 0, max_tokens: replyTokens * (pairsOfJob(job).length + 1) },
      formatVersion: gateFormatVersion,
      task: task as unknown as Json,
      ordinal: at === reviewKey ? 0 : 1,
    },
  };
}
