import type { TextFormat } from "../drafting/candidate.ts";
import { InvalidEpisode } from "./invalid-episode.ts";
import { pathSegment, reviewerLabel } from "./path-segment.ts";

export type TextExtension = "md" | "txt" | "html";

const extensions = { markdown: "md", plain: "txt", html: "html" } as const;

export function extensionOf(format: TextFormat): TextExtension {
  return extensions[format];
}

export function formatOfExtension(extension: TextExtension): TextFormat {
  return ({ md: "markdown", txt: "plain", html: "html" } as const)[extension];
}

/** Every path of a workspace, relative to its root, with `/`. */
export const layout = {
  episodeYaml: "episode.yaml",
  state: "state.json",
  transcript: "transcript/transcript.txt",
  chapters: "transcript/chapters.txt",
  chunks: "transcript/chunks",
  chunkText: (id: number) => `transcript/chunks/${chunkName(id)}.txt`,
  chunkMeta: (id: number) => `transcript/chunks/${chunkName(id)}.json`,
  chunkSummaries: "summaries/chunks",
  chunkSummary: (id: number) => `summaries/chunks/${chunkName(id)}.summary.json`,
  episodeSummary: (extension: "json" | "md" | "html") =>
    `summaries/episode/episode_summary.${extension}`,
  candidates: (assetId: string) => `copy/candidates/${pathSegment(assetId)}`,
  candidate: (assetId: string, candidateId: string, extension: TextExtension | "json") =>
    `copy/candidates/${pathSegment(assetId)}/candidate_${pathSegment(candidateId)}.${extension}`,
  reviews: (assetId: string) => `copy/reviews/${pathSegment(assetId)}`,
  review: (assetId: string, iteration: number, reviewer?: string) =>
    `copy/reviews/${pathSegment(assetId)}/${iterationName(iteration)}${reviewer === undefined ? "" : `.${reviewerLabel(reviewer)}`}.json`,
  protocol: (assetId: string) => `copy/protocol/${pathSegment(assetId)}`,
  protocolIteration: (assetId: string, iteration: number) =>
    `copy/protocol/${pathSegment(assetId)}/${iterationName(iteration)}.json`,
  protocolState: (assetId: string) => `copy/protocol/${pathSegment(assetId)}/state.json`,
  ledger: (assetId: string) => `copy/protocol/${pathSegment(assetId)}/ledger.json`,
  archive: (assetId: string, generation: number) =>
    `copy/protocol/${pathSegment(assetId)}/archive/${generation}`,
  selected: (assetId: string, extension: TextExtension) =>
    `copy/selected/${pathSegment(assetId)}.${extension}`,
  provenance: (kind: string, ref: string) =>
    `copy/provenance/${pathSegment(kind)}/${pathSegment(ref)}.json`,
} as const;

/** The folders `init` makes. */
export const layoutFolders = [
  "transcript/chunks",
  "auphonic/downloads",
  "auphonic/outputs",
  "summaries/chunks",
  "summaries/episode",
  "copy/candidates",
  "copy/reviews",
  "copy/protocol",
  "copy/selected",
  "copy/provenance",
] as const;

function chunkName(id: number): string {
  if (!Number.isInteger(id) || id < 1) {
    throw new InvalidEpisode("chunk-id-from-one", `chunk id ${id} is not 1 or more`);
  }
  return `chunk_${String(id).padStart(4, "0")}`;
}

function iterationName(iteration: number): string {
  if (!Number.isInteger(iteration) || iteration < 1) {
    throw new InvalidEpisode("iteration-from-one", `iteration ${iteration} is not 1 or more`);
  }
  return `iteration_${String(iteration).padStart(2, "0")}`;
}
