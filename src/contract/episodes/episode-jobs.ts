import { z } from "zod";
import { textFormats } from "../../domain/drafting/candidate.ts";
import type { ChunkSummary, EpisodeSummary } from "../../domain/episodes/transcript-chunk.ts";
import { codec } from "../documents/codec.ts";
import { objects, optionalObject } from "../documents/shapes.ts";
import type { Frozen } from "../documents/snake-case.ts";
import { provenanceShape } from "../drafting/candidate.ts";
import { draftInputShape } from "../drafting/draft-input.ts";
import { instantShape } from "../drafting/values.ts";

const format = z.enum(textFormats);

/** A loop, or a first draft, of one asset of one workspace, frozen when the run is created. */
const assetJobShape = z.object({
  /** Of the workspace, relative to the project's root. */
  workspace: z.string(),
  /** Which generation of the asset's protocol it belongs to. */
  generation: z.int(),
  draft: draftInputShape,
  /** What the texts are made from; each candidate refers to it. */
  sources: z.array(provenanceShape),
  /** The asset's selection at that time. One that appears or changes later wins over the loop's. */
  selection: optionalObject({ assetId: z.string(), format, text: z.string() }),
  /** The turns on disk already decide; only the decision is missing. */
  closes: z.boolean(),
  /** Of first drafts: what the asset's texts are recognised by, so that none is written twice. */
  known: z.array(z.string()).exactOptional(),
});

export type AssetJob = Frozen<z.output<typeof assetJobShape>>;

export const { encode: encodeAssetJob, decode: decodeAssetJob } = codec(assetJobShape);

const links = objects({ url: z.string(), label: z.string().exactOptional() });

const chunkSummaryShape = z.object({
  chunkId: z.int(),
  summaryMarkdown: z.string(),
  bullets: z.array(z.string()),
  entities: z.array(z.string()),
  links,
  createdAt: instantShape.exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<ChunkSummary>;

export const { encode: encodeChunkSummary, decode: decodeChunkSummary } = codec(chunkSummaryShape);

const episodeSummaryShape = z.object({
  summaryMarkdown: z.string(),
  keyPoints: z.array(z.string()),
  topics: z.array(z.string()),
  links,
  createdAt: instantShape.exactOptional(),
  provenance: z.array(provenanceShape),
}) satisfies z.ZodType<EpisodeSummary>;

export const { encode: encodeEpisodeSummary, decode: decodeEpisodeSummary } =
  codec(episodeSummaryShape);

/** The summaries of an episode, as they were asked for. */
const summaryJobShape = z.object({
  workspace: z.string(),
  episodeId: z.string(),
  language: z.string(),
  model: z.string(),
  hosts: z.array(z.string()).exactOptional(),
  speakers: z.array(z.string()),
  chunks: objects({
    chunkId: z.int(),
    path: z.string(),
    sha256: z.string(),
    text: z.string(),
    /** A summary of exactly this text, which need not be asked for again. */
    known: chunkSummaryShape.exactOptional(),
    /** Of the file that holds `known`. */
    knownSha256: z.string().exactOptional(),
  }),
});

export type SummaryJob = Frozen<z.output<typeof summaryJobShape>>;
export type ChunkToSummarize = SummaryJob["chunks"][number];

export const { encode: encodeSummaryJob, decode: decodeSummaryJob } = codec(summaryJobShape);
