/** One stretch of the transcript to be summed up. */
export interface ChunkSummaryTask {
  readonly kind: "summarize-chunk";
  readonly chunkId: number;
  readonly language: string;
  readonly text: string;
  readonly repair?: { readonly error: string; readonly text: string };
}

/** Summaries of parts, in their order, to be made into one. */
export interface EpisodeSummaryTask {
  readonly kind: "summarize-episode";
  readonly language: string;
  readonly speakers: readonly string[];
  readonly parts: readonly SummaryPart[];
  readonly repair?: { readonly error: string; readonly text: string };
}

export interface SummaryPart {
  readonly summaryMarkdown: string;
  readonly bullets: readonly string[];
  readonly entities: readonly string[];
  readonly links: readonly { readonly url: string; readonly label?: string }[];
}

export type SummaryTask = ChunkSummaryTask | EpisodeSummaryTask;
