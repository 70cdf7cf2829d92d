import { createRunFiles } from "../../adapters/workspace/run-files.ts";
import { draftFlow } from "../../orchestration/drafting/draft-flow.ts";
import { createDraftRecord } from "../../orchestration/drafting/draft-record.ts";
import { createUnsignedLoops } from "../../orchestration/drafting/unsigned-loops.ts";
import { allEvents } from "../../orchestration/runs/all-events.ts";
import type { Feature, FeatureParts } from "./feature.ts";

export function draftingFeature({ root, store, clock, crash }: FeatureParts): Feature {
  const files = createRunFiles(root, crash);
  return {
    flows: [["draft", draftFlow, "anywhere"]],
    projectors: [
      createDraftRecord({ files, eventsOf: allEvents(store.runs) }),
      createUnsignedLoops(store, clock),
    ],
  };
}
