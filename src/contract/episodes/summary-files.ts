import { z } from "zod";
import {
  type ChunkMeta,
  type ChunkSummary,
  type EpisodeSummary,
  type LinkRef,
  makeChunkMeta,
} from "../../domain/episodes/transcript-chunk.ts";
import { jsonText } from "../documents/json-text.ts";
import { parseJsonFile } from "./json-file.ts";
import {
  fromProvenance,
  present,
  storedProvenance,
  storedTime,
  toProvenance,
} from "./stored-values.ts";

/** `transcript/chunks/chunk_NNNN.json`. */
export const storedChunkMeta = z.strictObject({
  chunk_id: z.int().min(1),
  created_at: storedTime.nullish(),
  end_sec: z.number().nonnegative().nullish(),
  provenance: storedProvenance.default([]),
  start_sec: z.number().nonnegative().nullish(),
  text_relpath: z.string().min(1),
  version: z.literal(1).default(1),
});

const storedLinks = z.array(
  z.strictObject({ label: z.string().nullish(), url: z.string().min(1) }),
);

/** `summaries/chunks/chunk_NNNN.summary.json`. */
export const storedChunkSummary = z.strictObject({
  bullets: z.array(z.string()).default([]),
  chunk_id: z.int().min(1),
  created_at: storedTime.nullish(),
  entities: z.array(z.string()).default([]),
  links: storedLinks.default([]),
  provenance: storedProvenance.default([]),
  summary_markdown: z.string(),
  version: z.literal(1).default(1),
});

/** `summaries/episode/episode_summary.json`. */
export const storedEpisodeSummary = z.strictObject({
  created_at: storedTime.nullish(),
  key_points: z.array(z.string()).default([]),
  links: storedLinks.default([]),
  provenance: storedProvenance.default([]),
  summary_markdown: z.string(),
  topics: z.array(z.string()).default([]),
  version: z.literal(1).default(1),
});

export function parseChunkMeta(text: string, file: string): ChunkMeta {
  return parseJsonFile(text, file, {
    shape: storedChunkMeta,
    toValue: (stored) =>
      makeChunkMeta({
        chunkId: stored.chunk_id,
        textRelpath: stored.text_relpath,
        ...present("startSec", stored.start_sec),
        ...present("endSec", stored.end_sec),
        ...present("createdAt", stored.created_at),
        provenance: toProvenance(stored.provenance),
      }),
  });
}

export function renderChunkMeta(meta: ChunkMeta): string {
  makeChunkMeta(meta);
  return jsonText({
    chunk_id: meta.chunkId,
    created_at: meta.createdAt ?? null,
    end_sec: meta.endSec ?? null,
    provenance: fromProvenance(meta.provenance),
    start_sec: meta.startSec ?? null,
    text_relpath: meta.textRelpath,
    version: 1,
  });
}

export function parseChunkSummary(text: string, file: string): ChunkSummary {
  return parseJsonFile(text, file, {
    shape: storedChunkSummary,
    toValue: (stored) => ({
      chunkId: stored.chunk_id,
      summaryMarkdown: stored.summary_markdown,
      bullets: stored.bullets,
      entities: stored.entities,
      links: toLinks(stored.links),
      ...present("createdAt", stored.created_at),
      provenance: toProvenance(stored.provenance),
    }),
  });
}

export function renderChunkSummary(summary: ChunkSummary): string {
  return jsonText({
    bullets: summary.bullets,
    chunk_id: summary.chunkId,
    created_at: summary.createdAt ?? null,
    entities: summary.entities,
    links: fromLinks(summary.links),
    provenance: fromProvenance(summary.provenance),
    summary_markdown: summary.summaryMarkdown,
    version: 1,
  });
}

export function parseEpisodeSummary(text: string, file: string): EpisodeSummary {
  return parseJsonFile(text, file, {
    shape: storedEpisodeSummary,
    toValue: (stored) => ({
      summaryMarkdown: stored.summary_markdown,
      keyPoints: stored.key_points,
      topics: stored.topics,
      links: toLinks(stored.links),
      ...present("createdAt", stored.created_at),
      provenance: toProvenance(stored.provenance),
    }),
  });
}

export function renderEpisodeSummary(summary: EpisodeSummary): string {
  return jsonText({
    created_at: summary.createdAt ?? null,
    key_points: summary.keyPoints,
    links: fromLinks(summary.links),
    provenance: fromProvenance(summary.provenance),
    summary_markdown: summary.summaryMarkdown,
    topics: summary.topics,
    version: 1,
  });
}

function toLinks(stored: z.output<typeof storedLinks>): readonly LinkRef[] {
  return stored.map(({ url, label }) => ({ url, ...present("label", label) }));
}

function fromLinks(links: readonly LinkRef[]): readonly object[] {
  return links.map(({ url, label }) => ({ label: label ?? null, url }));
}
