import type { CreatorReply } from "../../domain/drafting/candidate.ts";
import type { MemberAnswer } from "../../domain/drafting/judge-candidate.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import type { ReviewerReply } from "../../domain/drafting/review.ts";
import type { Key } from "../../domain/values/ids.ts";
import { secondsBetween } from "../../domain/values/instant.ts";
import { AgentError, AskFailed } from "../../domain/values/workflow-error.ts";
import type { Ask, AskEnding, FlowContext } from "../../ports/flow.ts";
import type { Reply, StoredError } from "../../ports/runner.ts";
import { readCreatorReply } from "../../protocol/drafting/creator-reply.ts";
import { readReviewerReply, replyAuthor } from "../../protocol/drafting/reviewer-reply.ts";
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
export interface Heard<T> {
  readonly heard: readonly T[];
  readonly replies: readonly Reply[];
}

type Reading<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "unclear"; readonly error: string };

interface Tried<A extends Ask, T> {
  readonly ask: A;
  readonly ending: AskEnding;
  readonly reading?: Reading<T>;
}

/**
 * All creators of a turn; a reply that cannot be read is asked for once more. Those without a readable text drop
 * out, and if none is left the turn has failed.
 */
export async function askCreators(
  ctx: FlowContext,
  asks: DraftAsks,
  first: readonly CreatorAsk[],
): Promise<Heard<Created>> {
  const read = (ask: CreatorAsk, reply: Reply): Reading<CreatorReply> => {
    const found = readCreatorReply(reply.text, ask.task);
    return found.kind === "read"
      ? { kind: "read", value: found.reply }
      : { kind: "unclear", error: found.error };
  };
  const again = (ask: CreatorAsk, repair: { error: string; text: string }) =>
    asks.createAgain(ask, repair);
  const { tried, all } = await askTwice(ctx, first, { read, again });
  const heard = tried.flatMap(({ ask, ending, reading }) =>
    ending.kind === "replied" && reading?.kind === "read"
      ? [
          {
            index: ask.task.candidateIndex,
            said: reading.value,
            reply: ending.reply,
            provenance: [runProvenance(ctx, ending.reply, "creator"), ...ask.provenance],
          },
        ]
      : [],
  );
  if (heard.length === 0) throw turnFailed(tried, all);
  return { heard, replies: repliesOf(all) };
}

/** The whole panel on every candidate; whoever cannot be understood twice objects, and its words are kept. */
export async function askReviewers(
  ctx: FlowContext,
  asks: DraftAsks,
  first: readonly ReviewerAsk[],
): Promise<Heard<Reviewed>> {
  const read = (ask: ReviewerAsk, reply: Reply): Reading<ReviewerReply> => {
    const found = readReviewerReply(reply.text, ask.task, replyAuthor(ask.role.model));
    return found.kind === "unreadable"
      ? { kind: "unclear", error: found.error }
      : { kind: "read", value: found.reply };
  };
  const again = (ask: ReviewerAsk, repair: { error: string; text: string }) =>
    asks.reviewAgain(ask, repair);
  const { tried, all } = await askTwice(ctx, first, { read, again });
  if (tried.every(({ ending }) => ending.kind === "failed")) throw turnFailed(tried, all);
  const heard = tried.map((one) => ({
    index: one.ask.index,
    member: memberAnswer(ctx, one),
    durationSeconds: one.ending.kind === "replied" ? secondsOf(one.ending.reply) : 0,
  }));
  return { heard, replies: repliesOf(all) };
}

interface Reader<A, T> {
  readonly read: (ask: A, reply: Reply) => Reading<T>;
  readonly again: (ask: A, repair: { readonly error: string; readonly text: string }) => A;
}

async function askTwice<A extends Ask, T>(
  ctx: FlowContext,
  first: readonly A[],
  reader: Reader<A, T>,
): Promise<{ readonly tried: readonly Tried<A, T>[]; readonly all: readonly Tried<A, T>[] }> {
  const once = await askAndRead(ctx, first, reader);
  const repairs = new Map<A, A>();
  for (const { ask, ending, reading } of once) {
    if (ending.kind !== "replied" || reading?.kind !== "unclear") continue;
    const repair = { error: reading.error, text: ending.reply.text };
    repairs.set(ask, reader.again(ask, repair));
  }
  if (repairs.size === 0) return { tried: once, all: once };
  const twice = await askAndRead(ctx, [...repairs.values()], reader);
  const tried = once.map((one) => twice.find((other) => other.ask === repairs.get(one.ask)) ?? one);
  return { tried, all: [...once, ...twice] };
}

async function askAndRead<A extends Ask, T>(
  ctx: FlowContext,
  asks: readonly A[],
  { read }: Reader<A, T>,
): Promise<readonly Tried<A, T>[]> {
  const endings = await ctx.askAll(asks);
  return asks.map((ask, at) => {
    const ending = endings[at] as AskEnding;
    if (ending.kind === "failed") return { ask, ending };
    const { reply } = ending;
    const reading: Reading<T> =
      reply.finish === "cut"
        ? { kind: "unclear", error: "the reply was cut off" }
        : read(ask, reply);
    return { ask, ending, reading };
  });
}

function memberAnswer(
  ctx: FlowContext,
  { ask, ending, reading }: Tried<ReviewerAsk, ReviewerReply>,
): MemberAnswer {
  const label = ask.role.label === undefined ? {} : { label: ask.role.label };
  if (ending.kind === "failed") return { kind: "failed", ...label };
  const { reply } = ending;
  return {
    kind: "replied",
    ...label,
    reply: reading?.kind === "read" ? reading.value : notUnderstood(reading?.error, reply.text),
    createdAt: reply.finishedAt,
    provenance: [runProvenance(ctx, reply, "reviewer"), ...ask.provenance],
  };
}

/** Fail closed: the raw words are kept as feedback and count as an objection. */
function notUnderstood(error: string | undefined, text: string): ReviewerReply {
  const message = `The review could not be understood (${error ?? "unknown"}), so it is not an approval.`;
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

function secondsOf({ startedAt, finishedAt }: Reply): number {
  return secondsBetween(startedAt, finishedAt);
}

function repliesOf(all: readonly { readonly ending: AskEnding }[]): readonly Reply[] {
  return all.flatMap(({ ending }) => (ending.kind === "replied" ? [ending.reply] : []));
}

/** Everything asked for in vain is asked for again when the run is resumed. */
function turnFailed(
  tried: readonly Tried<Ask, unknown>[],
  all: readonly Tried<Ask, unknown>[],
): AgentError {
  const unusable: readonly Key[] = all.map(({ ask }) => ask.key);
  const [first] = tried;
  if (first?.ending.kind === "failed") return failedAsk(first.ending.error, unusable);
  const error = first?.reading?.kind === "unclear" ? first.reading.error : "nothing was said";
  const role = first?.ask.request.role ?? "creator";
  return new AgentError(
    `The ${role}'s reply could not be used, also not when asked again: ${error}.`,
    {
      code: "reply-unusable",
      facts: { role, error, unusable },
      hint: "Resume the run to ask once more, or choose another model.",
    },
  );
}

function failedAsk(error: StoredError, unusable: readonly Key[]): AskFailed {
  const facts = error.facts as AskFailed["facts"];
  const { hint } = facts;
  return new AskFailed(error.message, {
    code: error.code,
    retryable: error.retryable,
    facts: { ...facts, unusable },
    ...(typeof hint === "string" ? { hint } : {}),
  });
}
