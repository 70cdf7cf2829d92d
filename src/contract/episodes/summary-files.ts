import { z } from "zod";
import {
  type ChunkMeta,
  type ChunkSummary,
  type EpisodeSummary,
  makeChunkMeta,
} from "../../domain/episodes/transcript-chunk.ts";
import { jsonText } from "../documents/json-text.ts";
import { strictObjects } from "../documents/shapes.ts";
import { snakeCaseKeys } from "../documents/stored-keys.ts";
import { parseJsonFile } from "./json-file.ts";
import { storedProvenance, storedTime } from "./stored-values.ts";

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

const storedLinks = strictObjects({ label: z.string().nullish(), url: z.string().min(1) });

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
  return parseJsonFile({ file, text }, storedChunkMeta, ({ version: _, ...meta }) =>
    makeChunkMeta(meta),
  );
}

export function renderChunkMeta(meta: ChunkMeta): string {
  return jsonText(snakeCaseKeys(storedChunkMeta, { ...makeChunkMeta(meta), version: 1 }));
}

export function parseChunkSummary(text: string, file: string): ChunkSummary {
  return parseJsonFile({ file, text }, storedChunkSummary, ({ version: _, ...summary }) => summary);
}

export function renderChunkSummary(summary: ChunkSummary): string {
  return jsonText(snakeCaseKeys(storedChunkSummary, { ...summary, version: 1 }));
}

export function parseEpisodeSummary(text: string, file: string): EpisodeSummary {
  return parseJsonFile(
    { file, text },
    storedEpisodeSummary,
    ({ version: _, ...summary }) => summary,
  );
}

export function renderEpisodeSummary(summary: EpisodeSummary): string {
  return jsonText(snakeCaseKeys(storedEpisodeSummary, { ...summary, version: 1 }));
}
