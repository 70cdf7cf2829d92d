import { evidenceFolderOf, handOffFiles } from "./ingest-run.ts";
import { recordStage } from "./record-stage.ts";
import type { Stage, StageParts, StageState } from "./stage.ts";

/** Rewrites the summary and the hand-offs from the store's record. Makes no calls. */
export function rebuildStage(parts: StageParts, stage: Stage): Promise<StageState> {
  return recordStage(parts, stage, (before) => {
    const filed = before.entries.findLast(({ event }) => event.kind === "run-ingested");
    if (filed?.event.kind !== "run-ingested") return {};
    return {
      files: handOffFiles(stage, before, { event: filed.event, place: evidenceFolderOf(filed) }),
    };
  });
}
