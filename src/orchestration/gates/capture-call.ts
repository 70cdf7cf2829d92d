import { parseNote } from "../../contract/documents/parse-note.ts";
import { encodeReviewJob } from "../../contract/gates/review-job.ts";
import type { SweepCall, SweepJob } from "../../contract/gates/sweep-job.ts";
import type { JobNote } from "../../domain/gates/review-job.ts";
import { movedPath } from "../../domain/relocation/plan-moves.ts";
import { defined } from "../../domain/values/defined.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Instant } from "../../domain/values/instant.ts";
import type { Json } from "../../domain/values/json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Repos } from "../../ports/repos.ts";
import type { ReviewRepos, RunPairRow } from "../../ports/review-repos.ts";
import type { Store } from "../../ports/store.ts";
import { gateFormatVersion } from "../../protocol/gates/format.ts";
import { buildLinkTable } from "../../protocol/gates/link-table.ts";
import { type ClaimParts, resolveClaim } from "./resolve-claim.ts";
import { versionsOf } from "./target-pair.ts";

export interface CaptureParts extends ClaimParts {
  readonly store: Store<Repos>;
  readonly clock: Pick<Clock, "now" | "sleep">;
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
  readonly signal: AbortSignal;
}

const pollMillis = 250;

/**
 * Claims the pairs of a call, stores its run with their versions and returns its input. Waits while another process is
 * asking about any of them, and leaves out those that were reviewed since the pairs were selected; returns nothing if
 * none is left. It holds no claim while it waits, so two calls never wait for each other.
 */
export async function captureCall(parts: CaptureParts, about: Capture): Promise<Json | undefined> {
  const replied = new Set<RunId>();
  for (;;) {
    const captured = await parts.store.transaction(({ reviews }) =>
      capturePairs(reviews, about, replied),
    );
    if (captured.kind === "captured") return jobOf(parts, about, captured);
    let isHeld = false;
    for (const run of captured.by) {
      const claim = await resolveClaim(parts, run);
      if (claim.kind === "replied") replied.add(run);
      isHeld ||= claim.kind === "held";
    }
    if (isHeld) await parts.clock.sleep(pollMillis, about.signal);
  }
}

type Captured =
  | { readonly kind: "claimed"; readonly by: readonly RunId[] }
  | {
      readonly kind: "captured";
      readonly pairs: readonly RunPairRow[];
      readonly texts: ReadonlyMap<string, string>;
    };

/** `replied`: runs of dead processes whose replies are recorded and will be filed without asking. */
async function capturePairs(
  reviews: ReviewRepos,
  about: Capture,
  replied: ReadonlySet<RunId>,
): Promise<Captured> {
  const { sweep, call, run } = about;
  const by = { model: call.partition, askedModel: call.model };
  const pairs: RunPairRow[] = [];
  const others = new Set<RunId>();
  for (const pair of pairRows(about, await reviews.notePaths.movesAfter(sweep.moves ?? 0))) {
    if (await reviews.gateReviews.isReviewedAfter(sweep.since, pair, by)) continue;
    const claimed = await reviews.runGates.claimedBy(pair, call.partition);
    if (claimed !== undefined && replied.has(claimed)) continue;
    if (claimed !== undefined && claimed !== run) others.add(claimed);
    pairs.push(pair);
  }
  if (others.size > 0) return { kind: "claimed", by: [...others] };
  await reviews.runGates.clear(run);
  if (pairs.length > 0) {
    if ((await reviews.runs.find(run)) === undefined) await insertRun(reviews, about);
    await reviews.runGates.insertMany(run, pairs);
    await reviews.runGates.claim(run);
  }
  const texts = await reviews.blobs.find(pairs.map(({ noteBlob }) => noteBlob));
  return { kind: "captured", pairs, texts };
}

function jobOf(
  { exists }: CaptureParts,
  { sweep, call }: Capture,
  { pairs, texts }: Extract<Captured, { kind: "captured" }>,
): Json | undefined {
  if (pairs.length === 0) return undefined;
  const notes = new Map(
    pairs.map(({ notePath, askedPath = notePath, noteBlob: blobSha }) => [askedPath, blobSha]),
  );
  const gates = new Set(pairs.map(({ gateId }) => gateId));
  return encodeReviewJob({
    shape: call.shape,
    model: call.model,
    ...defined({ member: sweep.members?.find(({ judge }) => judge === call.partition) }),
    live: false,
    aliases: sweep.aliases,
    notes: [...notes].map(([path, blobSha]) =>
      jobNote({ path, blobSha, text: texts.get(blobSha) ?? "" }, exists),
    ),
    gates: call.gates.flatMap((at) => sweep.gateTable[at] ?? []).filter(({ id }) => gates.has(id)),
  });
}

/** A note as a review job holds it; its links are looked up when the job is made. */
export function jobNote(note: Omit<JobNote, "links">, exists: (path: string) => boolean): JobNote {
  return { ...note, links: buildLinkTable(note.path, parseNote(note.text).links, exists) };
}

async function insertRun({ runs }: ReviewRepos, about: Capture): Promise<void> {
  const { sweep, call, run, batch, createdAt } = about;
  const { plan, shape, partition, model } = call;
  await runs.insert({
    ...{ run, plan, shape, model: partition, askedModel: model },
    ...{ format: gateFormatVersion, batch, movesSeen: sweep.moves ?? 0, createdAt },
  });
}

function pairRows(
  { sweep, call }: Capture,
  moves: Awaited<ReturnType<ReviewRepos["notePaths"]["movesAfter"]>>,
): readonly RunPairRow[] {
  const notes = call.notes.flatMap((at) => sweep.noteTable[at] ?? []);
  const gates = call.gates.flatMap((at) => sweep.gateTable[at] ?? []);
  const pairs = notes.flatMap((note) => gates.map((gate) => ({ note, gate })));
  return pairs.map((pair, ordinal) => {
    const { path: askedPath, isCommitted } = pair.note;
    const notePath = movedPath(askedPath, moves);
    return {
      ordinal,
      ...versionsOf(pair),
      notePath,
      ...(notePath === askedPath ? {} : { askedPath }),
      ...(isCommitted ? defined({ noteCommit: sweep.head }) : {}),
    };
  });
}
