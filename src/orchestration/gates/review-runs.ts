import { encodeReviewJob } from "../../contract/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { type Instant, millisOf } from "../../domain/values/instant.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Budget, Job } from "../../ports/flow.ts";
import type { ReviewRunRow, RunPairRow } from "../../ports/review-repos.ts";
import type { Holder, RunStore } from "../../ports/run-store.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { continueRun } from "../runs/begin-run.ts";
import { gateReviewKind } from "./gate-kinds.ts";
import { reviewKey } from "./gate-review-flow.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { jobOf, type PlannedCall, planDigest } from "./plan-work.ts";

/** What running reviews needs beside the tools. */
export interface ReviewEngine {
  readonly engine: Engine;
  readonly runs: RunStore;
  readonly newId: () => string;
  readonly isDead: (holder: Holder) => boolean;
}

export interface CreatedRun {
  readonly run: RunId;
  readonly number: number;
  readonly job: Job;
}

export interface CreateRun {
  readonly call: PlannedCall;
  readonly live: boolean;
  readonly batch: string;
  readonly commitOf: (path: string) => string | undefined;
  readonly budget?: Budget;
  /** Whether a run that is completed by now was not when the pairs were found stale. */
  readonly isNews?: (run: ReviewRunRow) => boolean;
}

/**
 * Captures a plan's pairs, versions and texts, then the job. The same plan again finds its unfinished run, or the
 * one that another process has completed since the pairs were found stale; a plan whose runs have all ended before
 * gets a new one, because its pairs would not be stale if they had been settled.
 */
export async function createRun(
  tools: WritingTools,
  world: NotesWorld,
  about: CreateRun & { readonly newId: () => string },
): Promise<CreatedRun> {
  const { call, live, budget } = about;
  const plan = planDigest(tools, call, live);
  const job = jobOf(tools, world, { call, live });
  const createdAt = tools.clock.now();
  const { run, number, attempt } = await tools.store.transaction(async ({ reviews }) => {
    const before = await reviews.runs.ofPlan(plan);
    const last = before.at(-1);
    const isOpen = last?.state === "running" || last?.state === "waiting";
    const isDone = last?.state === "completed" && about.isNews?.(last) === true;
    if (last !== undefined && (isOpen || isDone))
      return { run: last.run, number: last.number, attempt: before.length };
    const id = runId(about.newId());
    const added = await reviews.runs.insert({
      run: id,
      plan,
      shape: call.plan.shape,
      model: call.plan.modelId,
      askedModel: call.model,
      state: live ? "waiting" : "running",
      format: gateFormatVersion,
      batch: about.batch,
      createdAt,
    });
    await reviews.runGates.insertMany(id, pairRows(call, about.commitOf));
    for (const { blobSha, text } of job.notes) await reviews.blobs.keep(blobSha, text);
    for (const { id: gateId, blobSha } of job.gates) {
      const gate = world.allGates.find((one) => one.id === gateId);
      if (gate !== undefined) await reviews.blobs.keep(blobSha, gate.text);
    }
    return { run: id, number: added, attempt: before.length + 1 };
  });
  for (const pair of pairRows(call, about.commitOf))
    tools.trace?.("pair-captured", { run_id: run, ...versionsOf(pair) });
  return {
    run,
    number,
    job: {
      id: `gates/${plan}/${attempt}`,
      kind: gateReviewKind,
      input: encodeReviewJob(job),
      settings: {},
      createdAt,
      ...defined({ budget }),
    },
  };
}

function pairRows({ plan }: PlannedCall, commitOf: (path: string) => string | undefined) {
  return plan.pairs.map(({ note, gate }, ordinal) => {
    const noteCommit = commitOf(note.path);
    return {
      ordinal,
      notePath: note.path,
      noteBlob: note.blobSha,
      ...defined({ noteCommit }),
      gateId: gate.id,
      gateBlob: gate.blobSha,
    };
  });
}

export function versionsOf({ notePath, noteBlob, gateId, gateBlob }: Omit<RunPairRow, "ordinal">) {
  return { note: notePath, note_blob: noteBlob, gate: gateId, gate_blob: gateBlob };
}

/** Runs that have their reply are finished first: they are paid for. Returns how many there were. */
export async function finishRepliedRuns(
  tools: WritingTools,
  { engine, runs, isDead }: ReviewEngine,
  signal: AbortSignal,
): Promise<number> {
  let finished = 0;
  for (const row of await openRuns(tools)) {
    const record = await runs.load(row.run);
    const held = record?.holder !== undefined && !isDead(record.holder);
    if (record === undefined || held || row.state === "waiting") continue;
    if ((await runs.find(row.run, reviewKey)) === undefined) continue;
    if (record.state === "finished" || record.state === "cancelled") continue;
    if (!(await isTaken(engine, row.run))) continue;
    await engine.ending(row.run, signal);
    finished += 1;
  }
  return finished;
}

/** Somebody else may have come first: then it is theirs to finish. */
async function isTaken(engine: Engine, run: RunId): Promise<boolean> {
  try {
    return (await continueRun(engine, run)) === "running";
  } catch (error) {
    if (error instanceof RunHeld) return false;
    throw error;
  }
}

/** No run is left `running` that nobody will go on with: its versions are gone, or its plan is another now. */
export async function failAbandonedRuns(
  tools: WritingTools,
  { engine, runs, isDead }: ReviewEngine,
  planned: ReadonlySet<string>,
): Promise<number> {
  let failed = 0;
  for (const row of await openRuns(tools)) {
    if (row.state === "waiting" || planned.has(row.plan)) continue;
    const record = await runs.load(row.run);
    if (record?.holder !== undefined && !isDead(record.holder)) continue;
    const wasTaken = record !== undefined && record.epoch > 0;
    if (!wasTaken && isYoung(row, tools.clock.now())) continue;
    if (record !== undefined && record.state !== "finished" && record.state !== "cancelled")
      await engine.cancel(row.run, "abandoned: its note or gate is another by now");
    await tools.store.transaction(({ reviews }) =>
      reviews.runs.fail(row.run, "abandoned", { at: tools.clock.now() }),
    );
    failed += 1;
  }
  return failed;
}

/** Tells runs that end from now on: those that are open, and those that come. */
export async function sinceNow(tools: WritingTools): Promise<(run: ReviewRunRow) => boolean> {
  const { last, open } = await tools.store.read(async ({ reviews }) => ({
    last: await reviews.runs.lastNumber(),
    open: new Set((await reviews.runs.open()).map(({ run }) => run)),
  }));
  return ({ run, number }) => number > last || open.has(run);
}

/** Between its capture and its lease a run has no holder; whoever captured it a moment ago is about to take it. */
function isYoung({ createdAt }: ReviewRunRow, now: Instant): boolean {
  return millisOf(now) - millisOf(createdAt) < youngMillis;
}

const youngMillis = 60_000;

async function openRuns(tools: WritingTools): Promise<readonly ReviewRunRow[]> {
  return tools.store.read(({ reviews }) => reviews.runs.open());
}
