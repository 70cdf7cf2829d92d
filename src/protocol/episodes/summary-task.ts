import type { ChunkSummary } from "../../domain/episodes/transcript-chunk.ts";
import type { RepairTask } from "../drafting/task.ts";

/** One part of the transcript to be summarised. */
export interface ChunkSummaryTask {
  readonly kind: "summarize-chunk";
  readonly chunkId: number;
  readonly language: string;
  readonly hosts?: readonly string[];
  readonly text: string;
  readonly repair?: RepairTask;
}

/** Summaries of the parts, in order, to be merged into one. */
export interface EpisodeSummaryTask {
  readonly kind: "summarize-episode";
  readonly language: string;
  readonly hosts?: readonly string[];
  readonly speakers: readonly string[];
  readonly parts: readonly SummaryPart[];
  readonly repair?: RepairTask;
}

export type SummaryPart = Omit<ChunkSummary, "chunkId" | "createdAt" | "provenance">;

export type SummaryTask = ChunkSummaryTask | EpisodeSummaryTask;
