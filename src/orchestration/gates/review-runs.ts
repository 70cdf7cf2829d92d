import { decodeReviewJob, encodeReviewJob } from "../../contract/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Engine } from "../../ports/engine.ts";
import type { Job } from "../../ports/flow.ts";
import type { Observer } from "../../ports/observer.ts";
import type { PairVersions, ReviewRunRow } from "../../ports/review-repos.ts";
import type { Holder, RunStore } from "../../ports/run-store.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { continueRun } from "../runs/begin-run.ts";
import { gateReviewKind } from "./gate-kinds.ts";
import { reviewKey } from "./gate-review-flow.ts";
import type { NotesWorld } from "./load-world.ts";
import type { WritingTools } from "./notes-tools.ts";
import { jobOf, type PlannedCall, planDigest } from "./plan-work.ts";
import { versionsOf } from "./target-pair.ts";

/** What running reviews needs in addition to the tools. */
export interface ReviewEngine {
  readonly engine: Engine;
  readonly runs: RunStore;
  readonly newId: () => string;
  readonly isDead: (holder: Holder) => boolean;
  /** Reports what happens in this process until the returned function is called. */
  readonly observe: (observer: Observer) => () => void;
}

/**
 * Captures pairs, versions and texts of a call that an agent outside will answer, then the job. The same plan again
 * finds its unfinished run; a plan whose runs have all ended gets a new one, because its pairs would not be stale if
 * they had been settled.
 */
export async function captureLive(
  tools: WritingTools,
  world: NotesWorld,
  about: {
    readonly call: PlannedCall;
    readonly batch: string;
    readonly commitOf: (path: string) => string | undefined;
    readonly newId: () => string;
  },
): Promise<{ readonly run: RunId; readonly number: number; readonly job: Job }> {
  const { call } = about;
  const plan = planDigest(tools, call, true);
  const job = jobOf(tools, world, { call, live: true });
  const createdAt = tools.clock.now();
  const pairs = call.plan.pairs.map((pair, ordinal) => ({
    ordinal,
    ...versionsOf(pair),
    ...defined({ noteCommit: about.commitOf(pair.note.path) }),
  }));
  const id = runId(about.newId());
  const { run, number, attempt } = await tools.store.transaction(async ({ reviews }) => {
    const before = await reviews.runs.ofPlan(plan);
    const last = before.at(-1);
    if (last?.state === "running" || last?.state === "waiting")
      return { run: last.run, number: last.number, attempt: before.length };
    const { shape, modelId } = call.plan;
    const added = await reviews.runs.insert({
      ...{ run: id, plan, shape, model: modelId, askedModel: call.model },
      ...{ format: gateFormatVersion, batch: about.batch, createdAt },
    });
    await reviews.runGates.insertMany(id, pairs);
    for (const { blobSha, text } of job.notes) await reviews.blobs.keep(blobSha, text);
    for (const { id: gateId, blobSha } of job.gates) {
      const gate = world.allGates.find((one) => one.id === gateId);
      if (gate !== undefined) await reviews.blobs.keep(blobSha, gate.text);
    }
    return { run: id, number: added, attempt: before.length + 1 };
  });
  for (const pair of pairs) tools.trace?.("pair-captured", { run_id: run, ...traceOf(pair) });
  const input = encodeReviewJob(job);
  const name = `gates/${plan}/${attempt}`;
  return { run, number, job: { id: name, kind: gateReviewKind, input, settings: {}, createdAt } };
}

export function traceOf({ notePath, noteBlob, gateId, gateBlob }: PairVersions) {
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
    if (record === undefined || isHeld(record, isDead) || row.state === "waiting") continue;
    if ((await runs.find(row.run, reviewKey)) === undefined) continue;
    if (!(await isTaken(engine, row.run))) continue;
    await engine.ending(row.run, signal);
    finished += 1;
  }
  return finished;
}

/** False if another process holds the run: that process will finish it. */
async function isTaken(engine: Engine, run: RunId): Promise<boolean> {
  try {
    return (await continueRun(engine, run)) === "running";
  } catch (error) {
    if (error instanceof RunHeld) return false;
    throw error;
  }
}

/**
 * Cancels single runs that no process holds: their versions are gone, or a sweep asks the same. Runs of a sweep
 * continue or end with their sweep.
 */
export async function cancelAbandonedRuns(
  tools: WritingTools,
  { engine, runs, isDead }: ReviewEngine,
): Promise<number> {
  let cancelled = 0;
  for (const row of await openRuns(tools)) {
    const record = row.state === "waiting" ? undefined : await runs.load(row.run);
    if (record === undefined || record.parent !== undefined || isHeld(record, isDead)) continue;
    if (record.epoch === 0 || decodeReviewJob(record.job.input).live) continue;
    await engine.cancel(row.run, abandoned);
    cancelled += 1;
  }
  return cancelled;
}

export const abandoned = "abandoned: its note or gate is another by now";

function isHeld({ holder }: { readonly holder?: Holder }, isDead: ReviewEngine["isDead"]): boolean {
  return holder !== undefined && !isDead(holder);
}

async function openRuns(tools: WritingTools): Promise<readonly ReviewRunRow[]> {
  return tools.store.read(({ reviews }) => reviews.runs.open());
}
