import type { NotesTools, WritingTools } from "../orchestration/gates/notes-tools.ts";
import type { WorkCost } from "../orchestration/gates/plan-work.ts";
import type { ReviewEngine } from "../orchestration/gates/review-runs.ts";

/** What handlers about notes act on. */
export interface StudioNotes {
  readonly engine: ReviewEngine;
  /** The current state of the project; loaded for each request. */
  tools(): Promise<WritingTools>;
  /** The judges a request means; throws for one that may not be asked. */
  judges(tools: NotesTools, model: string | undefined): Promise<readonly string[]>;
  /** Absent where a price is unknown. */
  priceRange(
    models: readonly string[],
    cost: WorkCost,
  ): { readonly low: number; readonly high: number } | undefined;
}
