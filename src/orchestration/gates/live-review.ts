import { decodeReviewJob } from "../../contract/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { ReviewRunRow } from "../../ports/review-repos.ts";
import { renderPromptFile } from "../../protocol/gates/prompt.ts";
import { acknowledgeRewritten } from "./acknowledge-rewritten.ts";
import { loadWorld, type NotesScope, type NotesWorld } from "./load-world.ts";
import { type LockWritten, writeLock } from "./lock-file.ts";
import type { WritingTools } from "./notes-tools.ts";
import { planWork } from "./plan-work.ts";
import { resolveClaim } from "./resolve-claim.ts";
import { committedAt, refuseDirtyGates } from "./review-notes.ts";
import { captureLive, type ReviewEngine } from "./review-runs.ts";
import { selectPairs } from "./select-pairs.ts";

type StartedReview = Pick<ReviewRunRow, "run" | "number">;

export interface LivePrompt extends StartedReview {
  readonly promptPath: string;
  /** Where the agent's reply is expected. */
  readonly outputPath: string;
  readonly pairs: readonly { readonly note: string; readonly gate: string }[];
}

export interface PromptRequest extends NotesScope {
  /** The model of the agent that will answer. */
  readonly model: string;
  readonly strategy: "by-note" | "by-gate";
  readonly allowDirtyGates: boolean;
}

/** The pipeline up to the prompt: the run, its pairs and versions are captured, then it waits. */
export async function writePrompts(
  tools: WritingTools,
  engine: ReviewEngine,
  request: PromptRequest,
): Promise<readonly LivePrompt[]> {
  const world = await loadWorld(tools, request);
  await refuseDirtyGates(tools, world, request.allowDirtyGates);
  const { stale } = await selectPairs(tools, world, { models: [request.model] });
  const { calls } = planWork(tools, stale, {
    judges: [request.model],
    strategy: request.strategy,
    retryUndecided: true,
  });
  const commitOf = await committedAt(tools);
  const batch = engine.newId();
  const prompts: LivePrompt[] = [];
  for (const call of calls) {
    const about = { call, batch, commitOf, newId: engine.newId };
    const { run, number, job } = await captureLive(tools, world, about);
    await engine.engine.submit(job, { run });
    await engine.engine.ending(run, new AbortController().signal);
    prompts.push(await writePrompt(tools, { run, number }));
  }
  return prompts;
}

async function writePrompt(
  tools: WritingTools,
  { run, number }: StartedReview,
): Promise<LivePrompt> {
  const { inbox, pairs } = await tools.store.read(async (repos) => ({
    inbox: await repos.inbox.of(run),
    pairs: await repos.reviews.runGates.of(run),
  }));
  const at = inbox.findIndex(({ answer }) => answer === undefined);
  const question = inbox[at]?.question;
  if (question === undefined) throw notWaiting(number, "has no open question");
  const [promptPath, outputPath] = [livePath(number, "prompt", at), livePath(number, "output", at)];
  const context = question.context as { readonly system?: string };
  const content = renderPromptFile({ ...context, text: question.text }, outputPath);
  await tools.files.write([{ path: promptPath, content }]);
  return {
    number,
    run,
    promptPath,
    outputPath,
    pairs: pairs.map(({ notePath, gateId }) => ({ note: notePath, gate: gateId })),
  };
}

/** The files of a run; a second question has its own. */
function livePath(number: number, what: "prompt" | "output", asked: number): string {
  return `.signoff/live/run-${number}/${what}${asked === 0 ? "" : `-${asked + 1}`}.md`;
}

export interface Ingested {
  readonly run: ReviewRunRow;
  /** The reply leaves doubts: the run waits for the answer to a second prompt. */
  readonly prompt?: LivePrompt;
  readonly decisions: readonly {
    readonly note: string;
    readonly gate: string;
    readonly decision: string;
  }[];
  /** Notes that have changed since, or are gone: the review is filed for the captured version. */
  readonly changedMeanwhile: readonly string[];
  /** Those that are gone, and were not moved by a command of this program. */
  readonly gone: readonly string[];
  readonly lock: LockWritten;
}

/** Resumes a waiting run with the agent's reply. */
export async function ingestReply(
  tools: WritingTools,
  engine: ReviewEngine,
  about: {
    readonly number: number;
    /** Called only if the run waits, with the path where its reply is expected. */
    readonly readReply: (outputPath: string) => Promise<string>;
    readonly by: string;
    /** The model that wrote the reply, if it is not the one named at the prompt. */
    readonly model?: string;
  },
): Promise<Ingested> {
  const row = await findRun(tools, about.number);
  const decisions = await tools.store.read(({ inbox }) => inbox.of(row.run));
  const isOver = row.state === "completed" || row.state === "failed";
  if (isOver || decisions.length === 0) throw notWaiting(about.number, `is ${row.state}`);
  const at = decisions.findIndex(({ answer }) => answer === undefined);
  const open = decisions[at];
  if (open === undefined) {
    await engine.engine.resume(row.run, {});
  } else {
    const { by, model } = about;
    const text = await about.readReply(livePath(about.number, "output", at));
    const answered = { choice: "ingest", text, by, at: tools.clock.now() };
    const answer = { ...answered, ...defined({ comment: model }) };
    const recorded = await engine.engine.answer(open.id, answer, open.version);
    if (recorded !== "recorded") throw notWaiting(about.number, "was answered already");
  }
  await engine.engine.ending(row.run, new AbortController().signal);
  const { run, reviews, pairs } = await tools.store.read(async ({ reviews: repos }) => ({
    run: await repos.runs.find(row.run),
    reviews: await repos.gateReviews.ofRun(row.run),
    pairs: await repos.runGates.of(row.run),
  }));
  const world = await loadWorld(tools, { paths: [], gates: [] });
  const now = new Map(world.allNotes.map(({ path, blobSha }) => [path, blobSha]));
  const prompt = run?.state === "waiting" ? await writePrompt(tools, row) : undefined;
  const changed = pairs.filter(({ notePath, noteBlob }) => now.get(notePath) !== noteBlob);
  const followed =
    changed.length === 0 ? [] : await followLinks(tools, world, { row: run ?? row, by: about.by });
  const changedMeanwhile = [...new Set(changed.map(({ notePath }) => notePath))].filter(
    (path) => !followed.includes(path),
  );
  return {
    run: run ?? row,
    ...defined({ prompt }),
    decisions: reviews.map(({ notePath, gateId, decision }) => ({
      note: notePath,
      gate: gateId,
      decision,
    })),
    changedMeanwhile,
    gone: changedMeanwhile.filter((path) => !now.has(path)),
    lock: await writeLock(tools),
  };
}

/** Notes whose links a move has rewritten since the prompt: the review counts for them as they are now. */
async function followLinks(
  tools: WritingTools,
  world: NotesWorld,
  { row, by }: { readonly row: ReviewRunRow; readonly by: string },
): Promise<readonly string[]> {
  const { stale } = await selectPairs(tools, world, { models: [row.model] });
  return [...(await acknowledgeRewritten(tools, stale, { by }))].map(({ note }) => note.path);
}

/** A new run with the contract of a failed one: the same pairs, versions and texts. */
export async function retryRun(
  tools: WritingTools,
  engine: ReviewEngine,
  number: number,
): Promise<{
  readonly run: ReviewRunRow;
  readonly prompt?: LivePrompt;
  readonly lock: LockWritten;
}> {
  const row = await findRun(tools, number);
  if (row.state !== "failed") throw notRetryable(row);
  const record = await engine.runs.load(row.run);
  if (record === undefined) throw notRetryable(row);
  const job = decodeReviewJob(record.job.input);
  if (!job.live) await refuseIfClaimed(tools, engine, row);
  const id = engine.newId() as RunId;
  const createdAt = tools.clock.now();
  const { attempt, added } = await tools.store.transaction(async ({ reviews }) => {
    const before = await reviews.runs.ofPlan(row.plan);
    const open = before.find(({ state }) => state === "running" || state === "waiting");
    if (open !== undefined) throw notRetryable(row, `run ${open.number} does it already`);
    const done = before.find(({ state }) => state === "completed");
    if (done !== undefined) throw notRetryable(row, `run ${done.number} has done it`);
    const { plan, shape, model, askedModel, format } = row;
    const contract = { plan, shape, model, askedModel, format };
    const made = await reviews.runs.insert({ run: id, ...contract, createdAt });
    await reviews.runGates.insertMany(id, await reviews.runGates.of(row.run));
    if (!job.live) await reviews.runGates.claim(id);
    return { attempt: before.length + 1, added: made };
  });
  const next = { ...record.job, id: `gates/${row.plan}/${attempt}`, createdAt };
  await engine.engine.submit(next, { run: id });
  await engine.engine.ending(id, new AbortController().signal);
  const prompt = job.live ? await writePrompt(tools, { run: id, number: added }) : undefined;
  const lock = await writeLock(tools);
  return { run: await findRun(tools, added), lock, ...defined({ prompt }) };
}

async function refuseIfClaimed(
  { store, clock }: WritingTools,
  { runs, isDead }: ReviewEngine,
  row: ReviewRunRow,
): Promise<void> {
  const claims = await store.read(async ({ reviews }) => {
    const found = [];
    for (const pair of await reviews.runGates.of(row.run))
      found.push(await reviews.runGates.claimedBy(pair, row.model));
    return found;
  });
  for (const run of new Set(claims)) {
    const claim = run && (await resolveClaim({ store, runs, clock, isDead }, run));
    if (claim?.kind === "held")
      throw notRetryable(row, `process ${claim.holder.pid} is reviewing the same pairs`);
    if (claim?.kind === "replied")
      throw notRetryable(row, "the same pairs have a reply that `signoff notes review` will file");
  }
}

async function findRun(tools: WritingTools, number: number): Promise<ReviewRunRow> {
  const row = await tools.store.read(({ reviews }) => reviews.runs.byNumber(number));
  if (row !== undefined) return row;
  throw new ConfigurationError(`There is no review run ${number}.`, {
    code: "review-run-unknown",
    facts: { run: number },
  });
}

function notWaiting(number: number, what: string): ConfigurationError {
  return new ConfigurationError(`Run ${number} ${what}; only a waiting run can be ingested.`, {
    code: "review-run-not-waiting",
    facts: { run: number },
    hint: "Nothing was changed. `signoff notes prompt` starts a run that waits.",
  });
}

function notRetryable({ number, state }: ReviewRunRow, why?: string): ConfigurationError {
  return new ConfigurationError(`Run ${number} cannot be retried: ${why ?? `it is ${state}`}.`, {
    code: "review-run-not-failed",
    facts: { run: number, state },
  });
}
