import {
  type AssetJob,
  decodeAssetJob,
  decodeChunkSummary,
  decodeEpisodeSummary,
  decodeSummaryJob,
} from "../../contract/episodes/episode-jobs.ts";
import { plainTextOf } from "../../contract/episodes/plain-text.ts";
import { type LoopDecision, mergeDecision } from "../../domain/drafting/decision.ts";
import type { IterationRecorded, LoopDecided } from "../../domain/drafting/events.ts";
import { mergeAsset } from "../../domain/episodes/asset.ts";
import {
  isSameSelection,
  type Selection,
  selects,
} from "../../domain/episodes/locked-selection.ts";
import { emptyLedger, withIteration } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import type { RunId } from "../../domain/values/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import type { Journal, StoredEvent } from "../../ports/journal.ts";
import type { Projector } from "../../ports/projector.ts";
import type { Repos } from "../../ports/repos.ts";
import type { RunRecord } from "../../ports/run-store.ts";
import type { Store } from "../../ports/store.ts";
import { readDraftEvent } from "../drafting/draft-record.ts";
import {
  candidateFiles,
  chunkSummaryFile,
  episodeSummaryFiles,
  iterationFiles,
  protocolStateFile,
  selectionFiles,
} from "./episode-files.ts";
import {
  draftEvents,
  draftKind,
  reviewEvents,
  reviewKind,
  summaryEvents,
  summaryKind,
} from "./episode-kinds.ts";
import { assetWithDisk, currentState, stateFile, type WorkspaceLock } from "./episode-state.ts";
import { assetStanding } from "./freeze-asset.ts";
import { loadLedger, loadProtocol } from "./load-episode.ts";
import { promptFiles } from "./prompt-provenance.ts";

export interface EpisodeRecordParts {
  readonly store: Store<Repos>;
  readonly journal: Pick<Journal, "facts">;
  readonly runOf: (run: RunId) => Promise<RunRecord>;
  readonly openFolder: (workspace: string) => Promise<EpisodeFolder>;
  readonly lock: WorkspaceLock;
  readonly clock: Pick<Clock, "now">;
}

/** Writes each turn of an asset's loop into its workspace when it is recorded, and the outcome when it is decided. */
export function createReviewRecord(parts: EpisodeRecordParts): Projector {
  return {
    jobs: [reviewKind],
    kinds: reviewEvents,
    async apply(events) {
      for (const stored of events) {
        const record = await parts.runOf(stored.run);
        const event = readDraftEvent(stored);
        const job = decodeAssetJob(record.job.input);
        const folder = await parts.openFolder(job.workspace);
        const about = { ...parts, record, job, folder };
        if (event?.kind === "iteration-recorded") await writeIteration(about, event);
        if (event?.kind === "loop-decided") await parts.lock(() => writeDecision(about, event));
      }
    },
  };
}

interface About extends EpisodeRecordParts {
  readonly record: RunRecord;
  readonly job: AssetJob;
  readonly folder: EpisodeFolder;
}

async function writeIteration(about: About, { iteration }: IterationRecorded): Promise<void> {
  const { folder, journal, record, job } = about;
  const { assetId } = job.draft;
  const before = await protocolOf(about);
  const ledger = (await loadLedger(folder, assetId)) ?? emptyLedger(assetId, job.generation);
  const state: ProtocolState = {
    ...before,
    iterations: [
      ...before.iterations.filter((one) => one.iteration < iteration.iteration),
      iteration,
    ],
  };
  const provenance = [
    ...[iteration.candidate, ...iteration.losers.map(({ candidate }) => candidate)],
    ...[iteration.review, ...iteration.panel, ...iteration.losers.map(({ review }) => review)],
  ].flatMap((one) => one.provenance);
  await folder.write([
    ...(await promptFiles(journal, record.run, provenance)),
    ...iterationFiles(iteration, state, withIteration(ledger, iteration)),
  ]);
}

/**
 * Writes the selection first, then the workspace's state, and the decision last: a visible decision is complete, and an
 * interrupted write is repeated when this run is resumed.
 */
async function writeDecision(about: About, event: LoopDecided): Promise<void> {
  const { folder, job, record } = about;
  const { assetId } = job.draft;
  const protocol = await protocolOf(about);
  const workspace = await currentState(folder, record.job.createdAt);
  const stored = await assetWithDisk(folder, workspace, assetId);
  const last = protocol.iterations.at(-1)?.candidate;
  const standing = await assetStanding(folder, assetId, workspace);
  const { selection: present, record: chosenBefore } = standing;
  const isConverged = event.decision.outcome === "converged" && last !== undefined;
  const isSameText =
    present !== undefined && last !== undefined && selects(present, last, plainTextOf);
  // A text that was selected while the loop was running, or that a person holds, stays; a person has to look at both.
  const isOverruled =
    isConverged &&
    present !== undefined &&
    !isSameText &&
    (standing.isTextLocked || !isSameSelection(present, job.selection));
  const isPicked = chosenBefore?.madeBy === "person" && standing.isSelectionRecorded;
  const decision: LoopDecision = isOverruled
    ? { ...event.decision, outcome: "needs_human", reason: "locked_selection" }
    : event.decision;
  const merged = mergeDecision(protocol.decision, decision) ?? decision;
  // What a person picked stays theirs, even when the loop comes to the same text.
  const isKept = isPicked && standing.isTextLocked;
  const isChosen = isConverged && !isOverruled && !isKept && merged.outcome === "converged";
  const asset = mergeAsset(stored, {
    assetId,
    candidates: [],
    reviews: protocol.iterations.map(({ review }) => review),
    ...(isChosen ? { selectedCandidateId: last.candidateId } : {}),
  });
  const chosen = isChosen ? selectionOf(about, event, last) : { write: [], remove: [] };
  await folder.write([...chosen.write, stateFile(workspace, asset)]);
  await folder.remove(chosen.remove);
  await folder.write([protocolStateFile({ ...protocol, decision: merged })]);
  // A text selected while the loop was running is a decision already.
  const appeared = present !== undefined && !isSameSelection(present, job.selection);
  if (event.decision.outcome === "needs_human" && !appeared && !isKept) {
    const loop = { run: record.run, since: about.clock.now() };
    await about.store.transaction(({ inbox }) => inbox.keepUnsigned(loop));
  }
}

function selectionOf(
  { record, job }: About,
  { decidedAt }: LoopDecided,
  last: ProtocolState["iterations"][0]["candidate"],
) {
  const { assetId } = job.draft;
  const selection: Selection = { assetId, format: last.format, text: last.content };
  return selectionFiles(selection, {
    candidateId: last.candidateId,
    madeBy: "loop",
    by: record.run,
    at: decidedAt,
  });
}

/** The protocol on disk, with the limit of this run. */
async function protocolOf({ folder, job }: About): Promise<ProtocolState> {
  const { assetId, maxTurns } = job.draft;
  const stored = await loadProtocol(folder, assetId);
  return { ...(stored ?? { assetId, iterations: [] }), maxIterations: maxTurns };
}

/** Writes first drafts into their workspace; `state.json` lists them when the asset is done. */
export function createDraftsRecord(parts: EpisodeRecordParts): Projector {
  return {
    jobs: [draftKind],
    kinds: draftEvents,
    async apply(events) {
      for (const event of events) await writeDraft(parts, event);
    },
  };
}

async function writeDraft(parts: EpisodeRecordParts, stored: StoredEvent): Promise<void> {
  const { job } = await parts.runOf(stored.run);
  const { workspace, draft } = decodeAssetJob(job.input);
  const folder = await parts.openFolder(workspace);
  const event = readDraftEvent(stored);
  if (event?.kind === "candidate-written") {
    const { candidate } = event;
    await folder.write([
      ...(await promptFiles(parts.journal, stored.run, candidate.provenance)),
      ...candidateFiles(candidate),
    ]);
    return;
  }
  await parts.lock(async () => {
    const state = await currentState(folder, job.createdAt);
    const asset = await assetWithDisk(folder, state, draft.assetId);
    await folder.write([stateFile(state, asset)]);
  });
}

/** Writes each summary into its workspace as soon as it is made. */
export function createSummaryRecord(parts: EpisodeRecordParts): Projector {
  return {
    jobs: [summaryKind],
    kinds: summaryEvents,
    async apply(events) {
      for (const event of events) await writeSummary(parts, event);
    },
  };
}

async function writeSummary(
  parts: EpisodeRecordParts,
  { run, kind, data }: StoredEvent,
): Promise<void> {
  const { job } = await parts.runOf(run);
  const { workspace, episodeId, language } = decodeSummaryJob(job.input);
  const folder = await parts.openFolder(workspace);
  const chunk = kind === "chunk-summarized" ? decodeChunkSummary(data) : undefined;
  const whole = chunk === undefined ? decodeEpisodeSummary(data) : undefined;
  const provenance = (chunk ?? whole)?.provenance ?? [];
  await folder.write([
    ...(await promptFiles(parts.journal, run, provenance)),
    ...(chunk === undefined ? [] : [chunkSummaryFile(chunk)]),
    ...(whole === undefined ? [] : episodeSummaryFiles(whole, { title: episodeId, language })),
  ]);
}
