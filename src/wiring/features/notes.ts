import { randomUUID } from "node:crypto";
import { nonceInRun } from "../../adapters/engines/run-identity.ts";
import { readOriginalReviews } from "../../adapters/persistence/sqlite/original-reviews.ts";
import { defined } from "../../domain/values/defined.ts";
import type { WritingTools } from "../../orchestration/gates/notes-tools.ts";
import type { ReviewEngine } from "../../orchestration/gates/review-runs.ts";
import type { Project } from "../project/project.ts";
import { deadBy } from "../project/run-source.ts";
import { toolsOf } from "./notes-reading.ts";

/** Of an open project; each call loads the current state. */
export async function notesToolsOf(
  { store, exclusively }: Project,
  at: Parameters<typeof toolsOf>[0] & Pick<WritingTools, "trace">,
): Promise<WritingTools> {
  const { trace, ...place } = at;
  return { ...(await toolsOf(place)), store, exclusively, ...defined({ trace }) };
}

export function reviewEngineOf({ engine, store, clock, observe }: Project): ReviewEngine {
  return {
    engine,
    runs: store.runs,
    newId: randomUUID,
    observe,
    isDead: deadBy(clock),
  };
}

export { nonceInRun, readOriginalReviews as loadOriginalReviews };
