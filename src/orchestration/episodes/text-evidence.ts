import { parseCandidateFile, renderCandidateFile } from "../../contract/episodes/candidate-file.ts";
import { plainTextOf } from "../../contract/episodes/plain-text.ts";
import {
  parseProtocolIteration,
  renderProtocolIteration,
} from "../../contract/episodes/protocol-files.ts";
import { parseReviewFile, renderReviewFile } from "../../contract/episodes/review-file.ts";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import type { PanelVote } from "../../domain/drafting/panel.ts";
import { statesError } from "../../domain/drafting/review.ts";
import type { Asset } from "../../domain/episodes/asset.ts";
import type { Freshness } from "../../domain/episodes/derived-files.ts";
import { extensionOf, layout } from "../../domain/episodes/layout.ts";
import { type Selection, selects } from "../../domain/episodes/locked-selection.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import type { SelectionRecord } from "../../domain/episodes/selection-record.ts";
import type { Comparison, TextEvidence } from "../../domain/episodes/text-standing.ts";
import { defined } from "../../domain/values/defined.ts";
import { type RunId, runId } from "../../domain/values/ids.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFile, EpisodeFolder } from "../../ports/episode-folder.ts";
import type { RunStore } from "../../ports/run-store.ts";
import { readDraftEvent } from "../drafting/draft-record.ts";
import { allEvents } from "../runs/all-events.ts";
import type { AssetStanding } from "./freeze-asset.ts";
import { renderMarkdown } from "./markdown-html.ts";

/** What this project recorded when a loop ran; the second witness beside the files. */
export type LoopRecords = Pick<RunStore, "events">;

/** Reads everything that speaks for or against the selected text of an asset. Broken files count as changed. */
export async function textEvidence(
  folder: EpisodeFolder,
  { asset, standing }: { readonly asset: Asset; readonly standing: AssetStanding },
  about: {
    readonly records: LoopRecords | undefined;
    readonly freshnessOf: (candidate: Candidate) => Freshness;
  },
): Promise<TextEvidence> {
  const { assetId } = asset;
  const { protocol, selection, record, ledger } = standing;
  const last = protocol?.iterations.at(-1)?.candidate;
  const candidateId = record?.candidateId ?? asset.selectedCandidateId ?? last?.candidateId;
  const { chosen, candidate } = await chosenCandidate(folder, {
    asset,
    candidateId,
    selection,
    last,
  });
  const fits = record === undefined ? chosen?.file === "same" : standing.isSelectionRecorded;
  const recorded =
    protocol === undefined ? [] : await recordedTurns(about.records, protocol, record);
  // Other programs render in their own way: only the HTML of texts that this one selected is compared.
  const isOurs = record !== undefined || recorded.some(({ is }) => is !== "gone");
  const otherHtml = isOurs ? await htmlToWrite(folder, selection) : undefined;
  return {
    assetId,
    candidates: asset.candidates.length,
    ...defined({
      selected: selection && {
        path: layout.selected(assetId, extensionOf(selection.format)),
        fits,
        ...defined({ otherHtml: otherHtml?.path }),
      },
      record,
      chosen,
      protocol,
    }),
    files: protocol === undefined ? [] : await protocolFiles(folder, protocol),
    ...defined({ panel: protocol && (await panelOf(folder, protocol, ledger)) }),
    recorded,
    acts: ledger?.acts ?? [],
    isLetGo: standing.isLetGo,
    freshness: candidate === undefined ? { kind: "unknown" } : about.freshnessOf(candidate),
  };
}

/** The HTML of a selected markdown text, if the file beside it holds anything else. */
export async function htmlToWrite(
  folder: EpisodeFolder,
  selection: Selection | undefined,
): Promise<EpisodeFile | undefined> {
  if (selection?.format !== "markdown") return undefined;
  const path = layout.selected(selection.assetId, "html");
  const html = await folder.read(path);
  if (html === undefined) return undefined;
  const content = renderMarkdown(selection.text);
  return html.replace(/\r\n?/g, "\n").trimEnd() === content.trimEnd()
    ? undefined
    : { path, content };
}

/** The selected candidate: as the protocol has it, else its file, else `state.json`, where anyone could change it. */
async function chosenCandidate(
  folder: EpisodeFolder,
  about: {
    readonly asset: Asset;
    readonly candidateId: string | undefined;
    readonly selection: Selection | undefined;
    readonly last: Candidate | undefined;
  },
): Promise<{ readonly chosen?: TextEvidence["chosen"]; readonly candidate?: Candidate }> {
  const { asset, candidateId, selection, last } = about;
  if (candidateId === undefined) return {};
  const path = layout.candidate(asset.assetId, candidateId, "json");
  let written: Candidate | undefined;
  const file = await compare(folder, path, (text) => {
    written = parseCandidateFile(text, path);
    return selection === undefined || selects(selection, written, plainTextOf);
  });
  const kept = asset.candidates.find((one) => one.candidateId === candidateId);
  const candidate = last?.candidateId === candidateId ? last : (written ?? kept);
  return { chosen: { candidateId, file }, ...defined({ candidate }) };
}

async function protocolFiles(
  folder: EpisodeFolder,
  { assetId, iterations }: ProtocolState,
): Promise<TextEvidence["files"]> {
  const files: { path: string; is: Comparison }[] = [];
  const add = async (path: string, rendered: string, again: (text: string) => string) => {
    files.push({ path, is: await compare(folder, path, (text) => again(text) === rendered) });
  };
  for (const one of iterations) {
    const { candidate, review, iteration } = one;
    const candidateFile = layout.candidate(assetId, candidate.candidateId, "json");
    await add(candidateFile, renderCandidateFile(candidate), (text) =>
      renderCandidateFile(parseCandidateFile(text, candidateFile)),
    );
    const reviewFile = layout.review(assetId, iteration, review.reviewer);
    await add(reviewFile, renderReviewFile(review), (text) =>
      renderReviewFile(parseReviewFile(text, reviewFile)),
    );
    const envelope = layout.protocolIteration(assetId, iteration);
    await add(envelope, renderProtocolIteration(one), (text) =>
      renderProtocolIteration(parseProtocolIteration(text, envelope, assetId)),
    );
  }
  return files;
}

/** The members' own reviews of the last text; one that cannot be read objects, as an unreadable answer does. */
async function panelOf(
  folder: EpisodeFolder,
  { assetId, iterations }: ProtocolState,
  ledger: LoopLedger | undefined,
): Promise<TextEvidence["panel"]> {
  const iteration = iterations.at(-1)?.iteration;
  const vote = ledger?.iterations.find((one) => one.iteration === iteration)?.vote;
  if (iteration === undefined || vote === undefined) return undefined;
  const votes: PanelVote[] = vote.absent.map((member) => ({
    ...{ member, answer: "absent", statesError: false },
  }));
  for (const member of [...vote.approved, ...vote.objected, ...vote.calledPerson]) {
    const path = layout.review(assetId, iteration, member);
    const review = await readable(async () => {
      const text = await folder.read(path);
      return text === undefined ? undefined : parseReviewFile(text, path);
    });
    const answer = review === undefined ? "objects" : answers[review.verdict];
    votes.push({ member, answer, statesError: review !== undefined && statesError(review) });
  }
  return { rule: vote.rule, votes };
}

const answers = {
  ok: "approves",
  changes_requested: "objects",
  needs_human: "needs_human",
} as const;

async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WorkflowError) return undefined;
    throw error;
  }
}

async function compare(
  folder: EpisodeFolder,
  path: string,
  isSame: (text: string) => boolean,
): Promise<Comparison> {
  const text = await folder.read(path);
  if (text === undefined) return "gone";
  try {
    return isSame(text) ? "same" : "changed";
  } catch (error) {
    if (error instanceof WorkflowError) return "changed";
    throw error;
  }
}

/** Each iteration against the run that its review names, else the one that the selection does. */
async function recordedTurns(
  records: LoopRecords | undefined,
  { iterations }: ProtocolState,
  record: SelectionRecord | undefined,
): Promise<TextEvidence["recorded"]> {
  const fallback = record?.madeBy === "loop" ? record.by : undefined;
  const runs = new Map<RunId, ReadonlyMap<number, string>>();
  const turns: { iteration: number; is: Comparison }[] = [];
  for (const one of iterations) {
    const ref = one.review.provenance.find(({ kind }) => kind === "run")?.ref ?? fallback;
    const run = ref === undefined ? undefined : runId(ref);
    if (run !== undefined && records !== undefined && !runs.has(run)) {
      runs.set(run, await turnsOf(records, run));
    }
    const recorded = run === undefined ? undefined : runs.get(run)?.get(one.iteration);
    const isSame = recorded === renderProtocolIteration(one);
    turns.push({
      iteration: one.iteration,
      is: recorded === undefined ? "gone" : isSame ? "same" : "changed",
    });
  }
  return turns;
}

async function turnsOf(records: LoopRecords, run: RunId): Promise<ReadonlyMap<number, string>> {
  const events = await allEvents(records)(run);
  const turns = events.flatMap((stored) => {
    const event = stored.kind === "iteration-recorded" ? readDraftEvent(stored) : undefined;
    return event?.kind === "iteration-recorded" ? [event.iteration] : [];
  });
  return new Map(turns.map((one) => [one.iteration, renderProtocolIteration(one)]));
}
