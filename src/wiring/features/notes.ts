import { randomUUID } from "node:crypto";
import { isDead } from "../../adapters/engines/embedded/process-owner.ts";
import { readOriginalReviews } from "../../adapters/persistence/sqlite/original-reviews.ts";
import { defined } from "../../domain/values/defined.ts";
import { millisOf } from "../../domain/values/instant.ts";
import type { WritingTools } from "../../orchestration/gates/notes-tools.ts";
import type { ReviewEngine } from "../../orchestration/gates/review-runs.ts";
import type { OriginalPair } from "../../ports/original-reviews.ts";
import type { Project } from "../project/project.ts";
import { toolsOf } from "./notes-reading.ts";

/** Of a project that is open already; each answers of one moment. */
export async function notesToolsOf(
  { store, exclusively }: Project,
  at: Parameters<typeof toolsOf>[0] & Pick<WritingTools, "trace">,
): Promise<WritingTools> {
  const { trace, ...place } = at;
  return { ...(await toolsOf(place, store)), store, exclusively, ...defined({ trace }) };
}

export function reviewEngineOf({ engine, store, clock, observe }: Project): ReviewEngine {
  return {
    engine,
    runs: store.runs,
    newId: randomUUID,
    observe,
    isDead: (holder) => isDead(holder, millisOf(clock.now())),
  };
}

export function loadOriginalReviews(path: string): readonly OriginalPair[] {
  return readOriginalReviews(path);
}
