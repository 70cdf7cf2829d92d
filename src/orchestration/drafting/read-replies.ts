import type { CreatorReply } from "../../domain/drafting/candidate.ts";
import type { MemberAnswer } from "../../domain/drafting/judge-candidate.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import type { ReviewerReply } from "../../domain/drafting/review.ts";
import { defined } from "../../domain/values/defined.ts";
import { secondsBetween } from "../../domain/values/instant.ts";
import type { FlowContext } from "../../ports/flow.ts";
import type { Reply } from "../../ports/runner.ts";
import { readCreatorReply } from "../../protocol/drafting/creator-reply.ts";
import {
  type ReadReviewerReply,
  readReviewerReply,
  replyAuthor,
  settleSignature,
} from "../../protocol/drafting/reviewer-reply.ts";
import type { RepairTask } from "../../protocol/drafting/task.ts";
import {
  type Answered,
  askReadable,
  type Reading,
  type UnreadableReply,
  unusableReplies,
} from "../runs/ask-readable.ts";
import type { CreatorAsk, DraftAsks, ReviewerAsk } from "./draft-asks.ts";

/** A candidate's text as it was read, with the reply it came from. */
export interface Created {
  readonly index: number;
  readonly said: CreatorReply;
  readonly reply: Reply;
  readonly provenance: readonly ProvenanceRef[];
}

export interface Reviewed {
  readonly index: number;
  readonly member: MemberAnswer;
  readonly durationSeconds: number;
}

/** What was read, and every reply that was paid for on the way. */
export interface Received<T> {
  readonly received: readonly T[];
  readonly replies: readonly Reply[];
}

/**
 * All creators of a turn; a reply that cannot be read is asked for once more. Those without a readable text drop
 * out, and if none is left the turn has failed.
 */
export async function askCreators(
  ctx: FlowContext,
  asks: DraftAsks,
  first: readonly CreatorAsk[],
): Promise<Received<Created>> {
  const answers = await askReadable<CreatorAsk, CreatorReply>(ctx, first, {
    read: ({ task, request }, reply) =>
      readingOf(readCreatorReply(reply.text, task, replyAuthor(request.model))),
    repair: (ask, unreadable) => asks.createAgain(ask, repairTask(unreadable)),
  });
  const received = answers.flatMap((one) =>
    one.kind === "readable"
      ? [
          {
            index: one.ask.task.candidateIndex,
            said: one.value,
            reply: one.reply,
            provenance: [runProvenance(ctx, one.reply, "creator"), ...one.ask.provenance],
          },
        ]
      : [],
  );
  if (received.length === 0) throw unusableReplies("The creator's reply", answers);
  return { received, replies: answers.flatMap(({ replies }) => replies) };
}

/**
 * The whole panel on every candidate; a reply that cannot be read twice objects, and its words are kept. An approval
 * that comes with other words is asked to sign.
 */
export async function askReviewers(
  ctx: FlowContext,
  asks: DraftAsks,
  first: readonly ReviewerAsk[],
): Promise<Received<Reviewed>> {
  const heard = await askReadable<ReviewerAsk, ReadableReview>(ctx, first, {
    read: readReview,
    repair: (ask, unreadable) => asks.reviewAgain(ask, repairTask(unreadable)),
  });
  const answers = await askToSign(ctx, asks, heard);
  const received = answers.map((one) => ({
    index: one.ask.index,
    member: memberAnswer(ctx, one),
    durationSeconds:
      one.kind === "failed" ? 0 : secondsBetween(one.reply.startedAt, one.reply.finishedAt),
  }));
  if (received.every(({ member }) => member.kind === "failed")) {
    throw unusableReplies("The reviewer's reply", answers);
  }
  return { received, replies: answers.flatMap(({ replies }) => replies) };
}

function readingOf<T>(found: { readonly reply: T } | { readonly error: string }): Reading<T> {
  return "reply" in found
    ? { kind: "readable", value: found.reply }
    : { kind: "unreadable", problems: [found.error] };
}

type ReadableReview = Exclude<ReadReviewerReply, { kind: "unreadable" }>;

function readReview(ask: ReviewerAsk, reply: Reply): Reading<ReadableReview> {
  const read = readReviewerReply(reply.text, ask.task, replyAuthor(ask.role.model, reply));
  return read.kind === "unreadable"
    ? { kind: "unreadable", problems: [read.error] }
    : { kind: "readable", value: read };
}

/**
 * Asks once, and without a repair, for a bare approval wherever one came with other words. An approval of a script or
 * a stand-in, which is not asked, then counts for nothing.
 */
async function askToSign(
  ctx: FlowContext,
  asks: DraftAsks,
  heard: readonly Answered<ReviewerAsk, ReadableReview>[],
): Promise<readonly Answered<ReviewerAsk, ReviewerReply>[]> {
  const questions = heard.flatMap((one) =>
    one.kind === "readable" &&
    one.value.kind === "unclear" &&
    replyAuthor(one.ask.role.model, one.reply) !== "script"
      ? [{ one, first: one.value, ask: asks.askToSign(one.ask, { beside: one.value.beside }) }]
      : [],
  );
  const seconds =
    questions.length === 0
      ? []
      : await askReadable(
          ctx,
          questions.map(({ ask }) => ask),
          { read: readReview },
        );
  const failed = seconds.filter(({ kind, ask }) => kind === "failed" && ask.mayFail !== true);
  if (failed.length > 0) throw unusableReplies("The reviewer's signature", failed);
  return heard.map((one) => {
    if (one.kind !== "readable") return one;
    const at = questions.findIndex((question) => question.one === one);
    const [question, second] = [questions[at], seconds[at]];
    if (question === undefined || second === undefined) return { ...one, value: one.value.reply };
    return {
      ...{ kind: "readable", ask: second.ask },
      keys: [...one.keys, ...second.keys],
      replies: [...one.replies, ...second.replies],
      reply: second.kind === "failed" ? one.reply : second.reply,
      value: settleSignature(question.first, secondReading(second)),
    };
  });
}

function secondReading(second: Answered<ReviewerAsk, ReadableReview>): ReadReviewerReply {
  switch (second.kind) {
    case "readable":
      return second.value;
    case "unreadable":
      return { kind: "read", reply: notUnderstood(second.problems, second.reply.text) };
    case "failed":
      return { kind: "unreadable", error: second.error.message };
  }
}

function repairTask({ problems, text }: UnreadableReply): RepairTask {
  return { error: problems.join("; "), text };
}

function memberAnswer(ctx: FlowContext, one: Answered<ReviewerAsk, ReviewerReply>): MemberAnswer {
  const { ask } = one;
  const label = defined({ label: ask.role.label });
  if (one.kind === "failed") return { kind: "failed", ...label };
  const { reply } = one;
  return {
    kind: "replied",
    ...label,
    reply: one.kind === "readable" ? one.value : notUnderstood(one.problems, reply.text),
    createdAt: reply.finishedAt,
    provenance: [runProvenance(ctx, reply, "reviewer"), ...ask.provenance],
  };
}

/** Fail closed: the raw words are kept as feedback and count as an objection. */
function notUnderstood(problems: readonly string[], text: string): ReviewerReply {
  const message = `The review could not be understood (${problems.join("; ")}), so it is not an approval.`;
  return {
    verdict: "changes_requested",
    issues: [{ severity: "error", code: "unclear_review", message }],
    kept: [],
    closed: [],
    summary: text.trim() === "" ? message : text,
  };
}

export function runProvenance(ctx: FlowContext, reply: Reply, role: string): ProvenanceRef {
  return { kind: "run", ref: ctx.run, metadata: { model: reply.model, role } };
}
