import { decodeReviewJob, encodeReviewOutcome } from "../../contract/gates/review-job.ts";
import { encodeReviewResult } from "../../contract/gates/sweep-job.ts";
import { isSameModel, modelPartition } from "../../domain/gates/model-partition.ts";
import {
  type PairReview,
  pairsOfJob,
  type ReviewJob,
  type ReviewOutcome,
} from "../../domain/gates/review-job.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Ask, FlowContext } from "../../ports/flow.ts";
import type { Usage } from "../../ports/runner.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { parseBundleOutput, parseSweepOutput } from "../../protocol/gates/parse-output.ts";
import { gateReviewSystemPrompt, renderBlockRepairPrompt } from "../../protocol/gates/prompt.ts";
import { type GateReviewTask, renderTask } from "../../protocol/gates/task.ts";
import { askOneReadable } from "../runs/ask-readable.ts";

/** Key of the call whose reply is the review; a run that has it recorded can be finished without asking. */
export const reviewKey: Key = key("review");
const repairKey = key("review", "repair", 1);
const replyTokens = 700;

interface ReviewerReply {
  readonly text: string;
  readonly model: string;
  readonly at: string;
  readonly usage?: Usage;
}

interface Read {
  readonly reviews: readonly PairReview[];
  readonly missing: ReviewOutcome["missing"];
  readonly problems: readonly { readonly message: string }[];
}

interface ReadReplies {
  readonly read: Read;
  readonly replies: readonly ReviewerReply[];
}

/** One plan, whatever its shape: ask, read, ask once more for exactly what is missing, emit the result. */
export async function gateReviewFlow(ctx: FlowContext, input: Json): Promise<Json> {
  const job = decodeReviewJob(input);
  const task = taskOf(job, ctx.nonce("blocks"));
  const { read, replies } = job.live
    ? await reviewByAgent(ctx, job, task)
    : await reviewByModel(ctx, job, task);
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

function costOf(replies: readonly ReviewerReply[]): {
  readonly tokens: number;
  readonly microUsd: number;
} {
  let [tokens, microUsd] = [0, 0];
  for (const { usage } of replies) {
    tokens += (usage?.input ?? 0) + (usage?.output ?? 0);
    microUsd += usage?.microUsd ?? 0;
  }
  return { tokens, microUsd };
}

interface ReviewAsk extends Ask {
  readonly job: ReviewJob;
  readonly task: GateReviewTask;
}

async function reviewByModel(
  ctx: FlowContext,
  job: ReviewJob,
  task: GateReviewTask,
): Promise<ReadReplies> {
  const reads: Read[] = [];
  const answered = await askOneReadable<ReviewAsk, Read>(ctx, askOf(reviewKey, job, task), {
    read: (ask, reply) => {
      const read = readReply(ask.job, ask.task, reply.text);
      reads.push(read);
      return read.missing.length === 0
        ? { kind: "readable", value: read }
        : { kind: "unreadable", problems: problemsOf(read) };
    },
    repair: (_, { problems, isCut }) => {
      const open = isCut ? job : restrict(job, reads[0]?.missing ?? []);
      const again = taskOf(open, ctx.nonce("repair"));
      const shape = again.kind === "review-bundle" ? { bundle: again } : { sweep: again };
      const found = problems.map((message) => ({ message }));
      return askOf(repairKey, open, again, renderBlockRepairPrompt(shape, found));
    },
  });
  const replies = answered.replies.map((reply) => ({ ...reply, at: reply.finishedAt }));
  return { read: merged(job, reads), replies };
}

/** The first review of each pair counts; a pair that no reply has is missing. */
function merged(job: ReviewJob, reads: readonly Read[]): Read {
  const all = reads.flatMap(({ reviews }) => reviews);
  const pairs = pairsOfJob(job).map((pair) => ({
    pair,
    review: all.find((one) => one.notePath === pair.notePath && one.gateId === pair.gateId),
  }));
  return {
    reviews: pairs.flatMap(({ review }) => review ?? []),
    missing: pairs.flatMap(({ pair, review }) => (review === undefined ? [pair] : [])),
    problems: [],
  };
}

function problemsOf({ problems, missing }: Read): readonly string[] {
  return [
    ...problems.map(({ message }) => message),
    ...missing.map(({ notePath, gateId }) => `no readable block for ${notePath} and ${gateId}`),
  ];
}

/** The same pipeline, suspended after rendering: the prompt is the question, the ingested text the answer. */
async function reviewByAgent(
  ctx: FlowContext,
  job: ReviewJob,
  task: GateReviewTask,
): Promise<ReadReplies> {
  const answer = await ctx.waitForDecision(reviewKey, {
    kind: "live-review",
    text: renderTask(task),
    choices: ["ingest"],
    context: { system: gateReviewSystemPrompt },
  });
  const reply = { text: answer.text ?? "", model: answer.comment ?? "", at: answer.at };
  return { read: readReply(job, task, reply.text), replies: [reply] };
}

function outcomeOf(job: ReviewJob, read: Read, replies: readonly ReviewerReply[]): ReviewOutcome {
  const answered = replies[0]?.model || job.model;
  const other = replies.find(({ model }) => model !== "" && !isSameModel(answered, model, job));
  const same = isSameModel(job.model, answered, job);
  const shared = {
    askedModel: job.model,
    answeredModel: answered,
    partition: modelPartition(same ? job.model : answered, job),
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

function taskOf(job: ReviewJob, nonce: string): GateReviewTask {
  const [note, gate] = [job.notes[0], job.gates[0]];
  if (note === undefined || gate === undefined) throw new Error("a review job without pairs");
  return job.shape === "bundle"
    ? { kind: "review-bundle", note, gates: job.gates, nonce }
    : { kind: "review-sweep", gate, notes: job.notes, nonce };
}

/** Uses the run's nonce and the texts of the prompt, so that echoes of the prompt never decide anything. */
function readReply(job: ReviewJob, task: GateReviewTask, text: string): Read {
  const { nonce } = task;
  const sources = [...job.notes.map((note) => note.text), ...job.gates.map(({ body }) => body)];
  if (task.kind === "review-bundle") {
    const { path } = task.note;
    const gateIds = task.gates.map(({ id }) => id);
    const output = parseBundleOutput(text, { gateIds, nonce, sources });
    return {
      reviews: output.reviews.map((review) => ({ notePath: path, ...review })),
      missing: output.missing.map((gateId) => ({ notePath: path, gateId })),
      problems: output.problems,
    };
  }
  const gateId = task.gate.id;
  const notePaths = task.notes.map(({ path }) => path);
  const output = parseSweepOutput(text, { notePaths, gateId, nonce, sources });
  return {
    reviews: [...output.reviews].map(([notePath, review]) => ({ notePath, ...review })),
    missing: output.missing.map((notePath) => ({ notePath, gateId })),
    problems: output.problems,
  };
}

/** The same job with only the pairs named; both shapes vary in one dimension only. */
function restrict(job: ReviewJob, pairs: ReviewOutcome["missing"]): ReviewJob {
  const notes = new Set(pairs.map(({ notePath }) => notePath));
  const gates = new Set(pairs.map(({ gateId }) => gateId));
  return {
    ...job,
    notes: job.notes.filter(({ path }) => notes.has(path)),
    gates: job.gates.filter(({ id }) => gates.has(id)),
  };
}
