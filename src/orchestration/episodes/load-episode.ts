import type { InvalidFile } from "../../contract/documents/file-problem.ts";
import { parseCandidateFile } from "../../contract/episodes/candidate-file.ts";
import { type EpisodeSettings, parseEpisodeYaml } from "../../contract/episodes/episode-yaml.ts";
import { invalidEpisodeFile } from "../../contract/episodes/invalid-episode-file.ts";
import { parseLedgerFile } from "../../contract/episodes/ledger-file.ts";
import { parseProtocolState } from "../../contract/episodes/protocol-files.ts";
import {
  parseSelectionRecord,
  selectionRecordPath,
} from "../../contract/episodes/provenance-files.ts";
import { parseStateFile } from "../../contract/episodes/state-file.ts";
import {
  parseChunkMeta,
  parseChunkSummary,
  parseEpisodeSummary,
} from "../../contract/episodes/summary-files.ts";
import type { Candidate, TextFormat } from "../../domain/drafting/candidate.ts";
import type { EpisodeWorkspace } from "../../domain/episodes/episode-workspace.ts";
import { formatOfExtension, layout, type TextExtension } from "../../domain/episodes/layout.ts";
import { canonicalExtension, type Selection } from "../../domain/episodes/locked-selection.ts";
import type { LoopLedger } from "../../domain/episodes/loop-ledger.ts";
import type { ProtocolState } from "../../domain/episodes/protocol-state.ts";
import type { SelectionRecord } from "../../domain/episodes/selection-record.ts";
import type {
  ChunkMeta,
  ChunkSummary,
  EpisodeSummary,
} from "../../domain/episodes/transcript-chunk.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";

export async function loadEpisodeSettings(folder: EpisodeFolder): Promise<EpisodeSettings> {
  const text = await folder.read(layout.episodeYaml);
  if (text === undefined) throw missing(layout.episodeYaml);
  return parseEpisodeYaml(text, layout.episodeYaml);
}

/** Undefined when there is no `state.json`: the original program drafts without one. */
export function loadState(folder: EpisodeFolder): Promise<EpisodeWorkspace | undefined> {
  return loadFile(folder, layout.state, parseStateFile);
}

/** Every candidate on disk, whether `state.json` knows it or not, sorted by file name. */
export async function loadCandidates(
  folder: EpisodeFolder,
  assetId: string,
  wanted: (candidateId: string) => boolean = () => true,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const name of await folder.list(layout.candidates(assetId))) {
    const id = /^candidate_(.+)\.json$/.exec(name)?.[1];
    if (id === undefined || !wanted(id)) continue;
    const file = `${layout.candidates(assetId)}/${name}`;
    const candidate = await loadFile(folder, file, parseCandidateFile);
    if (candidate === undefined) continue;
    if (candidate.assetId !== assetId) {
      const message = `is for asset "${candidate.assetId}", but lies with those of "${assetId}"`;
      throw invalidEpisodeFile({ file, rule: "candidate-belongs-to-asset", message });
    }
    candidates.push(candidate);
  }
  return candidates;
}

export async function loadProtocol(
  folder: EpisodeFolder,
  assetId: string,
): Promise<ProtocolState | undefined> {
  const file = layout.protocolState(assetId);
  const state = await loadFile(folder, file, parseProtocolState);
  if (state !== undefined && state.assetId !== assetId) {
    const message = `is the protocol of "${state.assetId}", but lies with those of "${assetId}"`;
    throw invalidEpisodeFile({ file, rule: "protocol-belongs-to-asset", message });
  }
  return state;
}

export function loadLedger(
  folder: EpisodeFolder,
  assetId: string,
): Promise<LoopLedger | undefined> {
  return loadFile(folder, layout.ledger(assetId), parseLedgerFile);
}

/** The canonical text of an asset, whatever formats lie beside it. */
export async function loadSelection(
  folder: EpisodeFolder,
  assetId: string,
  selectedFormat: TextFormat | undefined,
): Promise<Selection | undefined> {
  const texts = new Map<TextExtension, string>();
  for (const extension of ["md", "txt", "html"] as const) {
    const text = await folder.read(layout.selected(assetId, extension));
    if (text !== undefined) texts.set(extension, text);
  }
  const extension = canonicalExtension([...texts.keys()], selectedFormat);
  if (extension === undefined) return undefined;
  return { assetId, format: formatOfExtension(extension), text: texts.get(extension) ?? "" };
}

export function loadSelectionRecord(
  folder: EpisodeFolder,
  assetId: string,
): Promise<SelectionRecord | undefined> {
  return loadFile(folder, selectionRecordPath(assetId), parseSelectionRecord);
}

/** In the order of their ids, each with its text. */
export async function loadChunks(
  folder: EpisodeFolder,
): Promise<readonly { readonly meta: ChunkMeta; readonly text: string }[]> {
  const chunks: { meta: ChunkMeta; text: string }[] = [];
  for (const name of await folder.list(layout.chunks)) {
    if (!/^chunk_\d+\.json$/.test(name)) continue;
    const file = `${layout.chunks}/${name}`;
    const meta = await loadFile(folder, file, parseChunkMeta);
    if (meta === undefined) continue;
    const text = await folder.read(meta.textRelpath);
    if (text === undefined) throw missing(meta.textRelpath, `${file} names it`);
    chunks.push({ meta, text });
  }
  return chunks.sort((left, right) => left.meta.chunkId - right.meta.chunkId);
}

export async function loadChunkSummaries(folder: EpisodeFolder): Promise<readonly ChunkSummary[]> {
  const summaries: ChunkSummary[] = [];
  for (const name of await folder.list(layout.chunkSummaries)) {
    if (!/^chunk_\d+\.summary\.json$/.test(name)) continue;
    const summary = await loadFile(folder, `${layout.chunkSummaries}/${name}`, parseChunkSummary);
    if (summary !== undefined) summaries.push(summary);
  }
  return summaries.sort((left, right) => left.chunkId - right.chunkId);
}

export function loadEpisodeSummary(folder: EpisodeFolder): Promise<EpisodeSummary | undefined> {
  // Wrapped, because naming the reader would load its schemas, and many workspaces have no summary.
  return loadFile(folder, layout.episodeSummary("json"), (text, file) =>
    parseEpisodeSummary(text, file),
  );
}

async function loadFile<Value>(
  folder: EpisodeFolder,
  file: string,
  parse: (text: string, file: string) => Value,
): Promise<Value | undefined> {
  const text = await folder.read(file);
  return text === undefined ? undefined : parse(text, file);
}

function missing(file: string, because = "the workspace needs it"): InvalidFile {
  return invalidEpisodeFile({ file, rule: "file-exists", message: `is missing; ${because}` });
}
