import { parseNote } from "../../contract/documents/parse-note.ts";
import { encodeReviewJob } from "../../contract/gates/review-job.ts";
import type { SweepCall, SweepJob } from "../../contract/gates/sweep-job.ts";
import type { JobGate, JobNote } from "../../domain/gates/review-job.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import { RunHeld } from "../../domain/values/workflow-error.ts";
import type { Repos } from "../../ports/repos.ts";
import type { ReviewRepos, ReviewRunRow, RunPairRow } from "../../ports/review-repos.ts";
import type { Holder, RunStore } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { buildLinkTable } from "../../protocol/gates/link-table.ts";
import { versionsOf } from "./target-pair.ts";

export interface CaptureParts {
  readonly store: Store<Repos>;
  readonly runs: Pick<RunStore, "load">;
  readonly isDead: (holder: Holder) => boolean;
  /** Whether a link of a note leads to a file. */
  readonly exists: (path: string) => boolean;
}

interface Capture {
  readonly sweep: SweepJob;
  readonly call: SweepCall;
  readonly run: RunId;
  /** The sweep's own run. */
  readonly batch: RunId;
  readonly createdAt: Instant;
}

/**
 * Stores the pairs and versions of a call's run and returns its input. Returns nothing if another command has reviewed
 * the same since the pairs were selected, and throws while another process is asking it. Repeating it changes nothing.
 */
export async function captureCall(parts: CaptureParts, about: Capture): Promise<Json | undefined> {
  const { sweep, call, run } = about;
  const notes = call.notes.flatMap((at) => sweep.noteTable[at] ?? []);
  const gates = call.gates.flatMap((at) => sweep.gateTable[at] ?? []);
  const captured = await parts.store.transaction(async ({ reviews }) => {
    const before = await reviews.runs.ofPlan(call.plan);
    if (await isReviewedSince(reviews, before, sweep.since)) return undefined;
    if (!before.some((row) => row.run === run)) {
      await insertRun(reviews, about);
      await reviews.runGates.insertMany(run, pairRows(about, { notes, gates }));
    }
    const texts = await reviews.blobs.find(notes.map(({ blobSha }) => blobSha));
    return { texts, others: othersBefore(before, run) };
  });
  if (captured === undefined) return undefined;
  for (const other of captured.others) await refuseIfRunning(parts, other);
  const { exists } = parts;
  return encodeReviewJob({
    shape: call.shape,
    model: call.model,
    ...defined({ member: sweep.members?.find(({ judge }) => judge === call.partition) }),
    live: false,
    aliases: sweep.aliases,
    notes: notes.map(({ path, blobSha }) =>
      jobNote({ path, blobSha, text: captured.texts.get(blobSha) ?? "" }, exists),
    ),
    gates,
  });
}

/** A note as a review job holds it; its links are looked up when the job is made. */
export function jobNote(note: Omit<JobNote, "links">, exists: (path: string) => boolean): JobNote {
  return { ...note, links: buildLinkTable(note.path, parseNote(note.text).links, exists) };
}

async function isReviewedSince(
  { gateReviews }: ReviewRepos,
  rows: readonly ReviewRunRow[],
  since: number,
): Promise<boolean> {
  for (const { run, state } of rows) {
    if (state !== "completed") continue;
    if ((await gateReviews.ofRun(run)).some(({ seq }) => seq > since)) return true;
  }
  return false;
}

async function insertRun({ runs }: ReviewRepos, about: Capture): Promise<void> {
  const { call, run, batch, createdAt } = about;
  const { plan, shape, partition, model } = call;
  await runs.insert({
    ...{ run, plan, shape, model: partition, askedModel: model },
    ...{ format: gateFormatVersion, batch, createdAt },
  });
}

function pairRows(
  { sweep }: Capture,
  { notes, gates }: { readonly notes: SweepJob["noteTable"]; readonly gates: readonly JobGate[] },
): readonly RunPairRow[] {
  const pairs = notes.flatMap((note) => gates.map((gate) => ({ note, gate })));
  return pairs.map((pair, ordinal) => ({
    ordinal,
    ...versionsOf(pair),
    ...(pair.note.isCommitted ? defined({ noteCommit: sweep.head }) : {}),
  }));
}

/** Of several runs of one plan, the first one asks; this run's row may be older than the others. */
function othersBefore(rows: readonly ReviewRunRow[], run: RunId): readonly ReviewRunRow[] {
  const own = rows.find((row) => row.run === run)?.number ?? Number.POSITIVE_INFINITY;
  return rows.filter(({ number, state }) => number < own && state === "running");
}

/** A run is running if a live process holds its lease or the lease of its sweep. */
async function refuseIfRunning(
  { runs, isDead }: CaptureParts,
  { run, batch, number }: ReviewRunRow,
): Promise<void> {
  for (const one of batch === undefined ? [run] : [run, batch as RunId]) {
    const holder = (await runs.load(one))?.holder;
    if (holder === undefined || isDead(holder)) continue;
    throw new RunHeld(`Process ${holder.pid} is asking for the same reviews (run ${number}).`, {
      code: "run-held",
      facts: { run: one, pid: holder.pid, host: holder.host },
      hint: "Wait for it to end, or stop that process and repeat the command.",
    });
  }
}
