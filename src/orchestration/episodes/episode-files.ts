import { renderCandidateFile } from "../../contract/episodes/candidate-file.ts";
import { renderLedgerFile } from "../../contract/episodes/ledger-file.ts";
import {
  renderProtocolIteration,
  renderProtocolState,
} from "../../contract/episodes/protocol-files.ts";
import {
  renderSelectionRecord,
  selectionRecordPath,
} from "../../contract/episodes/provenance-files.ts";
import { renderReviewFile } from "../../contract/episodes/review-file.ts";
import {
  renderChunkMeta,
  renderChunkSummary,
  renderEpisodeSummary,
} from "../../contract/episodes/summary-files.ts";
import type { Candidate } from "../../domain/drafting/candidate.ts";
import type { LoopIteration } from "../../domain/drafting/iteration.ts";
import type { Review } from "../../domain/drafting/review.ts";
import type { Chunk } from "../../domain/episodes/chunker.ts";
import { derivedFrom, type Source } from "../../domain/episodes/derived-files.ts";
import { extensionOf, layout } from "../../domain/episodes/layout.ts";
import type { Selection } from "../../domain/episodes/locked-selection.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import type { SelectionRecord } from "../../domain/episodes/selection-record.ts";
import type { ChunkSummary, EpisodeSummary } from "../../domain/episodes/transcript-chunk.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Digest } from "../../domain/values/digest.ts";
import { withFinalNewline } from "../../domain/values/final-newline.ts";
import type { EpisodeFile } from "../../ports/episode-folder.ts";
import { renderMarkdown, renderMarkdownPage } from "./markdown-html.ts";
import { sha256Digest } from "./sha256.ts";

/** Readable texts first, the JSON that speaks of them last. */
export function candidateFiles(candidate: Candidate): readonly EpisodeFile[] {
  const { assetId, candidateId, format, content } = candidate;
  return [
    ...textFiles(format, content, (extension) => layout.candidate(assetId, candidateId, extension)),
    {
      path: layout.candidate(assetId, candidateId, "json"),
      content: renderCandidateFile(candidate),
    },
  ];
}

function reviewFile(assetId: string, review: Review): EpisodeFile {
  return {
    path: layout.review(assetId, review.iteration, review.reviewer),
    content: renderReviewFile(review),
  };
}

export function ledgerFile(ledger: LoopLedger): EpisodeFile {
  return { path: layout.ledger(ledger.assetId), content: renderLedgerFile(ledger) };
}

export function protocolStateFile(state: ProtocolState): EpisodeFile {
  return { path: layout.protocolState(state.assetId), content: renderProtocolState(state) };
}

/**
 * All files of one finished turn. The envelope follows its contents, and the protocol state, which every reader trusts,
 * comes last: after an interruption the workspace still describes the previous turn.
 */
export function iterationFiles(
  iteration: LoopIteration,
  state: ProtocolState,
  ledger: LoopLedger,
): readonly EpisodeFile[] {
  const { assetId } = state;
  return [
    ...[iteration.candidate, ...iteration.losers.map((loser) => loser.candidate)].flatMap(
      candidateFiles,
    ),
    ...iteration.panel.map((review) => reviewFile(assetId, review)),
    reviewFile(assetId, iteration.review),
    ledgerFile(ledger),
    {
      path: layout.protocolIteration(assetId, iteration.iteration),
      content: renderProtocolIteration(iteration),
    },
    protocolStateFile(state),
  ];
}

/** The chosen text, its derived formats and who chose it; and which other formats are now left over. */
export function selectionFiles(
  selection: Selection,
  about: Pick<SelectionRecord, "candidateId" | "madeBy" | "by" | "at" | "reason">,
): {
  readonly write: readonly EpisodeFile[];
  readonly remove: readonly string[];
  readonly textSha256: Digest;
} {
  const { assetId, format, text } = selection;
  const textSha256 = sha256Digest(withFinalNewline(text));
  const record = { ...about, assetId, format, sha256: textSha256 };
  const texts = textFiles(format, text, (extension) => layout.selected(assetId, extension));
  const kept = new Set(texts.map((file) => file.path));
  return {
    write: [
      ...texts,
      { path: selectionRecordPath(assetId), content: renderSelectionRecord(record) },
    ],
    remove: (["md", "txt", "html"] as const)
      .map((extension) => layout.selected(assetId, extension))
      .filter((path) => !kept.has(path)),
    textSha256,
  };
}

export function chunkFiles(chunk: Chunk, transcript: Source): readonly EpisodeFile[] {
  const { chunkId, text, startSec, endSec } = chunk;
  return [
    { path: layout.chunkText(chunkId), content: text },
    {
      path: layout.chunkMeta(chunkId),
      content: renderChunkMeta({
        chunkId,
        textRelpath: layout.chunkText(chunkId),
        ...defined({ startSec, endSec }),
        provenance: [derivedFrom(transcript)],
      }),
    },
  ];
}

export function chunkSummaryFile(summary: ChunkSummary): EpisodeFile {
  return { path: layout.chunkSummary(summary.chunkId), content: renderChunkSummary(summary) };
}

export function episodeSummaryFiles(
  summary: EpisodeSummary,
  about: { readonly title: string; readonly language: string },
): readonly EpisodeFile[] {
  const markdown = withFinalNewline(summary.summaryMarkdown);
  return [
    { path: layout.episodeSummary("md"), content: markdown },
    {
      path: layout.episodeSummary("html"),
      content: renderMarkdownPage(markdown, about.title, about.language),
    },
    { path: layout.episodeSummary("json"), content: renderEpisodeSummary(summary) },
  ];
}

/** A text in its own format; markdown also as the HTML it becomes. */
function textFiles(
  format: Candidate["format"],
  content: string,
  pathOf: (extension: "md" | "txt" | "html") => string,
): readonly EpisodeFile[] {
  const own = { path: pathOf(extensionOf(format)), content: withFinalNewline(content) };
  return format === "markdown"
    ? [{ path: pathOf("html"), content: renderMarkdown(content) }, own]
    : [own];
}
