import { createRunFiles } from "../adapters/workspace/run-files.ts";
import { draftFlow } from "../orchestration/drafting/draft-flow.ts";
import { createDraftRecord } from "../orchestration/drafting/draft-record.ts";
import { createUnsignedLoops } from "../orchestration/drafting/unsigned-loops.ts";
import { allEvents } from "../orchestration/runs/all-events.ts";
import { ofRuns } from "../orchestration/runs/of-runs.ts";
import type { Feature, FeatureParts } from "./feature.ts";

export function draftingFeature({ root, store, crash }: FeatureParts): Feature {
  const files = createRunFiles(root, crash);
  return {
    flows: [["draft", draftFlow]],
    projectors: [
      ofRuns("draft", store.runs, createDraftRecord({ files, eventsOf: allEvents(store.runs) })),
      ofRuns("draft", store.runs, createUnsignedLoops(store)),
    ],
  };
}
