import {
  type PairReview,
  pairsOfJob,
  type ReviewJob,
  type ReviewOutcome,
} from "../../domain/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Reply } from "../../ports/runner.ts";
import { parseBundleOutput, parseSweepOutput } from "../../protocol/gates/parse-output.ts";
import type { ParsedGateReview } from "../../protocol/gates/parse-review.ts";
import { shownTexts } from "../../protocol/gates/prompt.ts";
import type { GateReviewTask } from "../../protocol/gates/task.ts";

type Pair = ReviewOutcome["missing"][number];
type ReadReview = ParsedGateReview & Pick<PairReview, "notePath">;

/** What could be read of one reply. */
export interface ReadReply {
  readonly reviews: readonly ReadReview[];
  readonly missing: readonly Pair[];
  readonly problems: readonly { readonly message: string }[];
}

/** What the replies to a job say together. */
export interface ReadReplies {
  readonly reviews: readonly PairReview[];
  readonly missing: readonly Pair[];
}

export type NonceOf = (name: string) => string;

export function firstTask(job: ReviewJob, nonceOf: NonceOf): GateReviewTask {
  return taskOf(job, nonceOf("blocks"));
}

/** The question after the first reply: about its missing and doubtful blocks, or all blocks of a reply that was cut. */
export function furtherTask(job: ReviewJob, open: readonly Pair[], nonceOf: NonceOf) {
  const restricted = restrict(job, open);
  return { job: restricted, task: taskOf(restricted, nonceOf("repair")) };
}

/** Uses the run's nonce and the texts of the prompt, so that echoes of the prompt never decide anything. */
export function readReply(task: GateReviewTask, text: string): ReadReply {
  const { nonce } = task;
  const sources = shownTexts(task);
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

/** Blocks whose result is contradictory or not declared as asked for, and why. */
export function doubtsIn({ reviews }: ReadReply): readonly (Pair & { readonly doubt: string })[] {
  return reviews.flatMap(({ notePath, gateId, doubt }) =>
    doubt === undefined ? [] : [{ notePath, gateId, doubt }],
  );
}

/** Pairs that a further question is about. */
export function openPairs(read: ReadReply, asksDoubts: boolean): readonly Pair[] {
  return [...read.missing, ...(asksDoubts ? doubtsIn(read) : [])];
}

/**
 * What the recorded replies to a job decide: the first, and the one to the further question if it was asked. A doubtful
 * block is decided by the second reply, which cannot lift a FAIL that the first declares. The review itself and its
 * later verification both read replies with this function.
 */
export function readReplies(
  job: ReviewJob,
  replies: readonly Pick<Reply, "text" | "finish">[],
  how: { readonly nonceOf: NonceOf; readonly asksDoubts: boolean },
): ReadReplies {
  const [first, second] = replies;
  const all = pairsOfJob(job);
  const read =
    first === undefined || first.finish === "cut"
      ? { reviews: [], missing: all, problems: [] }
      : readReply(firstTask(job, how.nonceOf), first.text);
  const open = openPairs(read, how.asksDoubts);
  if (second === undefined || second.finish === "cut" || open.length === 0)
    return together(all, [read]);
  const further = furtherTask(job, open, how.nonceOf);
  return together(all, [read, readReply(further.task, second.text)]);
}

function together(pairs: readonly Pair[], reads: readonly ReadReply[]): ReadReplies {
  const found = pairs.map((pair) => {
    const isSame = (one: Pair) => one.notePath === pair.notePath && one.gateId === pair.gateId;
    const [first, second] = reads.map(({ reviews }) => reviews.find(isSame));
    return { pair, review: first === undefined ? second : settled(first, second) };
  });
  return {
    reviews: found.flatMap(({ review }) => review ?? []),
    missing: found.flatMap(({ pair, review }) => (review === undefined ? [pair] : [])),
  };
}

function settled(first: ReadReview, second: ReadReview | undefined): PairReview {
  if (first.doubt === undefined || second === undefined) return first;
  const lifts = first.declaresFail === true && second.decision !== "fail";
  return lifts || second.doubt !== undefined ? first : second;
}

function taskOf(job: ReviewJob, nonce: string): GateReviewTask {
  const [note, gate] = [job.notes[0], job.gates[0]];
  if (note === undefined || gate === undefined) throw new Error("a review job without pairs");
  const shared = { nonce, ...defined({ member: job.member?.instructions }) };
  return job.shape === "bundle"
    ? { kind: "review-bundle", note, gates: job.gates, ...shared }
    : { kind: "review-sweep", gate, notes: job.notes, ...shared };
}

/** The same job with only the pairs named; both shapes vary in one dimension only. */
function restrict(job: ReviewJob, pairs: readonly Pair[]): ReviewJob {
  const notes = new Set(pairs.map(({ notePath }) => notePath));
  const gates = new Set(pairs.map(({ gateId }) => gateId));
  return {
    ...job,
    notes: job.notes.filter(({ path }) => notes.has(path)),
    gates: job.gates.filter(({ id }) => gates.has(id)),
  };
}
