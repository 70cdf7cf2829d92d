import { z } from "zod";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { ProvenanceRef } from "../../domain/drafting/provenance.ts";
import type { Selection } from "../../domain/episodes/locked-selection.ts";
import type { ChunkSummary, EpisodeSummary } from "../../domain/episodes/transcript-chunk.ts";
import type { Json } from "../../domain/values/json.ts";
import { fromWire, toWire } from "../documents/snake-case.ts";
import { provenanceShape } from "../drafting/candidate.ts";
import { draftInputShape } from "../drafting/draft-input.ts";
import { instantShape } from "../drafting/values.ts";

/** A loop, or a first draft, of one asset of one workspace, as it was frozen. */
export interface AssetJob {
  /** Of the workspace, relative to the project's root. */
  readonly workspace: string;
  /** Which life of the asset's protocol it belongs to. */
  readonly generation: number;
  readonly draft: DraftInput;
  /** What the texts are made from; each candidate refers to it. */
  readonly sources: readonly ProvenanceRef[];
  /** The asset's selection at that time. One that appears or changes later wins over the loop's. */
  readonly selection?: Selection;
  /** The turns on disk already decide; only the decision is missing. */
  readonly closes: boolean;
}

/** The summaries of an episode, as they were asked for. */
export interface SummaryJob {
  readonly workspace: string;
  readonly episodeId: string;
  readonly language: string;
  readonly model: string;
  readonly speakers: readonly string[];
  readonly chunks: readonly ChunkToSummarize[];
}

export interface ChunkToSummarize {
  readonly chunkId: number;
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
  /** A summary of exactly this text that need not be asked for again. */
  readonly known?: ChunkSummary;
  /** Of the file that holds `known`. */
  readonly knownSha256?: string;
}

const format = z.enum(["markdown", "plain", "html"]);

const assetJobShape = z.object({
  workspace: z.string(),
  generation: z.int(),
  draft: draftInputShape,
  sources: z.array(provenanceShape),
  selection: z.object({ assetId: z.string(), format, text: z.string() }).exactOptional(),
  closes: z.boolean(),
}) satisfies z.ZodType<AssetJob>;

const links = z.array(z.object({ url: z.string(), label: z.string().exactOptional() }));

const chunkSummaryShape = z.object({
  chunkId: z.int(),
  summaryMarkdown: z.string(),
  bullets: z.array(z.string()),
  entities: z.array(z.string()),
  links,
  createdAt: instantShape.exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<ChunkSummary>;

const episodeSummaryShape = z.object({
  summaryMarkdown: z.string(),
  keyPoints: z.array(z.string()),
  topics: z.array(z.string()),
  links,
  createdAt: instantShape.exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<EpisodeSummary>;

const summaryJobShape = z.object({
  workspace: z.string(),
  episodeId: z.string(),
  language: z.string(),
  model: z.string(),
  speakers: z.array(z.string()),
  chunks: z.array(
    z.object({
      chunkId: z.int(),
      path: z.string(),
      sha256: z.string(),
      text: z.string(),
      known: chunkSummaryShape.exactOptional(),
      knownSha256: z.string().exactOptional(),
    }),
  ),
}) satisfies z.ZodType<SummaryJob>;

export function encodeAssetJob(job: AssetJob): Json {
  return toWire(assetJobShape, job, { absent: "omit" });
}

export function decodeAssetJob(json: Json): AssetJob {
  return fromWire(assetJobShape, json);
}

export function encodeSummaryJob(job: SummaryJob): Json {
  return toWire(summaryJobShape, job, { absent: "omit" });
}

export function decodeSummaryJob(json: Json): SummaryJob {
  return fromWire(summaryJobShape, json);
}

export function encodeChunkSummary(summary: ChunkSummary): Json {
  return toWire(chunkSummaryShape, summary, { absent: "omit" });
}

export function decodeChunkSummary(json: Json): ChunkSummary {
  return fromWire(chunkSummaryShape, json);
}

export function encodeEpisodeSummary(summary: EpisodeSummary): Json {
  return toWire(episodeSummaryShape, summary, { absent: "omit" });
}

export function decodeEpisodeSummary(json: Json): EpisodeSummary {
  return fromWire(episodeSummaryShape, json);
}
