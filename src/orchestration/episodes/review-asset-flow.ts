import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import type { Flow } from "../../ports/flow.ts";
import { runDraftLoop } from "../drafting/draft-flow.ts";
import { promptRef } from "./prompt-provenance.ts";

/** The loop of drafting on one asset of an episode; its texts say what they were made from. */
export const reviewAssetFlow: Flow = (ctx, json) => {
  const { draft, sources, closes } = decodeAssetJob(json);
  return runDraftLoop(ctx, draft, {
    closes,
    provenanceOf: (ask) => [promptRef(ask), ...(ask.request.role === "creator" ? sources : [])],
  });
};
