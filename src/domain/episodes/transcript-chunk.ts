import type { ProvenanceRef } from "../drafting/provenance.ts";
import type { Instant } from "../values/instant.ts";
import { InvalidEpisode } from "./invalid-episode.ts";

/** What `transcript/chunks/chunk_NNNN.json` says about the text beside it. */
export interface ChunkMeta {
  readonly chunkId: number;
  readonly textRelpath: string;
  readonly startSec?: number;
  readonly endSec?: number;
  readonly createdAt?: Instant;
  readonly provenance: readonly ProvenanceRef[];
}

export interface LinkRef {
  readonly url: string;
  readonly label?: string;
}

interface Summary {
  readonly summaryMarkdown: string;
  readonly links: readonly LinkRef[];
  readonly createdAt?: Instant;
  readonly provenance: readonly ProvenanceRef[];
}

export interface ChunkSummary extends Summary {
  readonly chunkId: number;
  readonly bullets: readonly string[];
  readonly entities: readonly string[];
}

export interface EpisodeSummary extends Summary {
  readonly keyPoints: readonly string[];
  readonly topics: readonly string[];
}

export function makeChunkMeta(meta: ChunkMeta): ChunkMeta {
  const { chunkId, startSec, endSec } = meta;
  if (!Number.isInteger(chunkId) || chunkId < 1) {
    throw new InvalidEpisode("chunk-id-from-one", `chunk id ${chunkId} is not 1 or more`);
  }
  if (startSec !== undefined && endSec !== undefined && endSec <= startSec) {
    throw new InvalidEpisode(
      "chunk-end-after-start",
      `chunk ${chunkId} ends at ${endSec}, not after its start at ${startSec}`,
    );
  }
  return meta;
}
