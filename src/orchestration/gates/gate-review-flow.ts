import { decodeReviewJob, encodeReviewOutcome } from "../../contract/gates/review-job.ts";
import { encodeReviewResult } from "../../contract/gates/sweep-job.ts";
import { isSameModel, modelPartition } from "../../domain/gates/model-partition.ts";
import {
  type PairReview,
  pairsOfJob,
  type ReviewJob,
  type ReviewOutcome,
} from "../../domain/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import { type Key, key } from "../../domain/values/ids.ts";
import type { Json } from "../../domain/values/json.ts";
import type { FlowContext } from "../../ports/flow.ts";
import type { AskRequest, Reply, Usage } from "../../ports/runner.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { parseBundleOutput, parseSweepOutput } from "../../protocol/gates/parse-output.ts";
import { gateReviewSystemPrompt, renderRepairPrompt } from "../../protocol/gates/prompt.ts";
import { type GateReviewTask, renderTask } from "../../protocol/gates/task.ts";

/** Key of the call whose reply is the review; a run that has it recorded can be finished without asking. */
export const reviewKey: Key = key("review");
const repairKey = key("review", "repair", 1);
const replyTokens = 700;

interface Heard {
  readonly text: string;
  readonly model: string;
  readonly at: string;
  readonly usage?: Usage;
}

interface Read {
  readonly reviews: readonly PairReview[];
  readonly missing: readonly { readonly notePath: string; readonly gateId: string }[];
  readonly problems: readonly { readonly message: string }[];
}

/** One plan, whatever its shape: ask, read, ask once more for exactly what is missing, hand the result out. */
export async function gateReviewFlow(ctx: FlowContext, input: Json): Promise<Json> {
  const job = decodeReviewJob(input);
  const task = taskOf(job, ctx.nonce("blocks"));
  const heard = job.live ? await hearAgent(ctx, task) : await hearModel(ctx, job, task);
  const read = readReply(job, task, heard.text);
  const isWhole = read.missing.length === 0 || job.live;
  const repaired = isWhole ? { read, heard: [heard] } : await repair(ctx, job, { heard, read });
  const outcome = outcomeOf(job, repaired.read, repaired.heard);
  ctx.emit({ kind: "gates-reviewed", data: encodeReviewOutcome(outcome) });
  const { partition, missing, answeredModel } = outcome;
  return encodeReviewResult({
    outcome: missing.length === 0 ? "completed" : "unreadable",
    partition,
    missing: missing.length,
    answeredModel,
    ...costOf(repaired.heard),
  });
}

function costOf(heard: readonly Heard[]): { readonly tokens: number; readonly microUsd: number } {
  let [tokens, microUsd] = [0, 0];
  for (const { usage } of heard) {
    tokens += (usage?.input ?? 0) + (usage?.output ?? 0);
    microUsd += usage?.microUsd ?? 0;
  }
  return { tokens, microUsd };
}

async function hearModel(ctx: FlowContext, job: ReviewJob, task: GateReviewTask): Promise<Heard> {
  const request = requestOf(job, task, { user: renderTask(task), ordinal: 0 });
  return heardIn(await ctx.ask(reviewKey, request));
}

function heardIn({ text, model, finishedAt, usage }: Reply): Heard {
  return { text, model, at: finishedAt, ...defined({ usage }) };
}

/** The same pipeline, suspended after rendering: the prompt is the question, the ingested text the answer. */
async function hearAgent(ctx: FlowContext, task: GateReviewTask): Promise<Heard> {
  const answer = await ctx.waitForDecision(reviewKey, {
    kind: "live-review",
    text: renderTask(task),
    choices: ["ingest"],
    context: { system: gateReviewSystemPrompt },
  });
  return { text: answer.text ?? "", model: answer.comment ?? "", at: answer.at };
}

async function repair(
  ctx: FlowContext,
  job: ReviewJob,
  first: { readonly heard: Heard; readonly read: Read },
): Promise<{ readonly read: Read; readonly heard: readonly Heard[] }> {
  const open = restrict(job, first.read.missing);
  const task = taskOf(open, ctx.nonce("repair"));
  const prompt = task.kind === "review-bundle" ? { bundle: task } : { sweep: task };
  const problems = [
    ...first.read.problems,
    ...first.read.missing.map(({ notePath, gateId }) => ({
      message: `no readable block for ${notePath} and ${gateId}`,
    })),
  ];
  const user = renderRepairPrompt(prompt, problems);
  const reply = await ctx.ask(repairKey, requestOf(open, task, { user, ordinal: 1 }));
  const again = readReply(open, task, reply.text);
  const reviews = pairsOfJob(job).flatMap(({ notePath, gateId }) => {
    const of = (review: PairReview) => review.notePath === notePath && review.gateId === gateId;
    const found = first.read.reviews.find(of) ?? again.reviews.find(of);
    return found === undefined ? [] : [found];
  });
  const read = { reviews, missing: again.missing, problems: again.problems };
  return { read, heard: [first.heard, heardIn(reply)] };
}

function outcomeOf(job: ReviewJob, read: Read, heard: readonly Heard[]): ReviewOutcome {
  const answered = heard[0]?.model || job.model;
  const other = heard.find(({ model }) => model !== "" && !isSameModel(answered, model, job));
  const same = isSameModel(job.model, answered, job);
  const shared = {
    askedModel: job.model,
    answeredModel: answered,
    partition: modelPartition(same ? job.model : answered, job),
    raw: heard.map(({ text }) => text).join("\n"),
    finishedAt: heard.at(-1)?.at ?? "",
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

function requestOf(
  job: ReviewJob,
  task: GateReviewTask,
  { user, ordinal }: { readonly user: string; readonly ordinal: number },
): AskRequest {
  return {
    role: "judge",
    model: job.model,
    system: gateReviewSystemPrompt,
    user,
    expects: "blocks",
    settings: { temperature: 0, max_tokens: replyTokens * (pairsOfJob(job).length + 1) },
    formatVersion: gateFormatVersion,
    task: task as unknown as Json,
    ordinal,
  };
}

function taskOf(job: ReviewJob, nonce: string): GateReviewTask {
  const [note, gate] = [job.notes[0], job.gates[0]];
  if (note === undefined || gate === undefined) throw new Error("a review job without pairs");
  return job.shape === "bundle"
    ? { kind: "review-bundle", note, gates: job.gates, nonce }
    : { kind: "review-sweep", gate, notes: job.notes, nonce };
}

/** Always with the run's nonce and the texts of the prompt: an echo of either never decides anything. */
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
function restrict(
  job: ReviewJob,
  pairs: readonly { readonly notePath: string; readonly gateId: string }[],
): ReviewJob {
  const notes = new Set(pairs.map(({ notePath }) => notePath));
  const gates = new Set(pairs.map(({ gateId }) => gateId));
  return {
    ...job,
    notes: job.notes.filter(({ path }) => notes.has(path)),
    gates: job.gates.filter(({ id }) => gates.has(id)),
  };
}
