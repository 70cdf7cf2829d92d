import {
  type ChunkToSummarize,
  encodeSummaryJob,
  type SummaryJob,
} from "../../contract/episodes/episode-jobs.ts";
import { speakersOf } from "../../domain/episodes/cue.ts";
import { sourcesOf } from "../../domain/episodes/derived-files.ts";
import { guessLanguage } from "../../domain/episodes/language.ts";
import { layout } from "../../domain/episodes/layout.ts";
import { inUtc } from "../../domain/episodes/timestamp.ts";
import { parseTranscript } from "../../domain/episodes/transcript.ts";
import type { ChunkSummary } from "../../domain/episodes/transcript-chunk.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import type { Job } from "../../ports/flow.ts";
import { summaryKind } from "./episode-kinds.ts";
import { type Workspace, workspaceId } from "./freeze-asset.ts";
import {
  loadChunkSummaries,
  loadChunks,
  loadEpisodeSettings,
  loadEpisodeSummary,
  loadState,
} from "./load-episode.ts";
import { sha256Digest } from "./sha256.ts";

export type PlannedSummary =
  /** Every summary fits the chunks as they are. */
  | { readonly kind: "fresh"; readonly chunks: number }
  | {
      readonly kind: "job";
      readonly job: Job;
      readonly chunks: number;
      /** Chunks whose summary is still right. */
      readonly known: number;
    };

/** Freezes what has to be summed up: chunks without a summary of their present text, then the whole. */
export async function planSummary(
  workspace: Workspace,
  about: { readonly model: string; readonly at: Instant },
): Promise<PlannedSummary> {
  const { folder, path } = workspace;
  const settings = await loadEpisodeSettings(folder);
  const state = await loadState(folder);
  const chunks = await loadChunks(folder);
  if (chunks.length === 0) {
    throw new ConfigurationError("The transcript has not been cut into chunks yet.", {
      code: "chunks-missing",
      hint: "Run `signoff episode chunk` first.",
    });
  }
  const summaries = await loadChunkSummaries(folder);
  const text = chunks.map((chunk) => chunk.text).join("\n");
  const wanted: ChunkToSummarize[] = [];
  for (const { meta, text: words } of chunks) {
    const found = summaries.find((one) => one.chunkId === meta.chunkId);
    const sum = sha256Digest(words);
    const isKnown = found !== undefined && isMadeFrom(found, sum) && isMadeBy(found, about.model);
    const file = await folder.read(layout.chunkSummary(meta.chunkId));
    wanted.push({
      chunkId: meta.chunkId,
      path: meta.textRelpath,
      sha256: sum,
      text: words,
      ...(isKnown ? { known: inJob(found), knownSha256: sha256Digest(file ?? "") } : {}),
    });
  }
  const known = wanted.filter((chunk) => chunk.known !== undefined);
  if (known.length === chunks.length && (await isWholeFresh(workspace, known))) {
    return { kind: "fresh", chunks: chunks.length };
  }
  const input: SummaryJob = {
    workspace: path,
    episodeId: settings.episodeId,
    language: settings.language ?? workspace.language ?? guessLanguage(text),
    model: about.model,
    ...(settings.hosts.length === 0 ? {} : { hosts: settings.hosts }),
    speakers: speakersOf(parseTranscript(text)),
    chunks: wanted,
  };
  const named = sha256Digest(
    [about.model, input.language, ...settings.hosts, ...wanted.map(({ sha256 }) => sha256)].join(
      "\n",
    ),
  );
  const id = workspaceId(workspace, { settings, ...defined({ state }) });
  const job: Job = {
    id: `${summaryKind}/${id}/${named.slice(0, 32)}`,
    kind: summaryKind,
    input: encodeSummaryJob(input),
    settings: {},
    createdAt: about.at,
  };
  return { kind: "job", job, chunks: chunks.length, known: known.length };
}

/** Jobs know UTC alone. */
function inJob(summary: ChunkSummary): ChunkSummary {
  const { createdAt } = summary;
  return createdAt === undefined ? summary : { ...summary, createdAt: inUtc(createdAt) };
}

function isMadeFrom({ provenance }: ChunkSummary, sum: string): boolean {
  return sourcesOf(provenance).some((source) => source.digest === sum);
}

/** A summary from elsewhere counts as made by any model. */
function isMadeBy({ provenance }: ChunkSummary, model: string): boolean {
  const run = provenance.find(({ kind }) => kind === "run");
  return run === undefined || run.metadata.model === model;
}

async function isWholeFresh(
  { folder }: Workspace,
  known: readonly ChunkToSummarize[],
): Promise<boolean> {
  const whole = await loadEpisodeSummary(folder);
  const pages = await folder.list("summaries/episode");
  if (whole === undefined || pages.length < 3) return false;
  const sources = new Map<string, string>(
    sourcesOf(whole.provenance).map(({ path, digest }) => [path, digest]),
  );
  return (
    sources.size === known.length &&
    known.every((one) => sources.get(layout.chunkSummary(one.chunkId)) === one.knownSha256)
  );
}
