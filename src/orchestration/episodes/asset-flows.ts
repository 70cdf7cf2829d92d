import { encodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import type { LoopState } from "../../domain/drafting/iteration.ts";
import { draftAngle, draftedAs } from "../../domain/episodes/first-drafts.ts";
import type { Json } from "../../domain/values/json.ts";
import { AgentError } from "../../domain/values/workflow-error.ts";
import type { Flow, Job } from "../../ports/flow.ts";
import { checkToolsFor } from "../drafting/check-tools.ts";
import { DraftAsks } from "../drafting/draft-asks.ts";
import { candidateWritten, runDraftLoop } from "../drafting/draft-flow.ts";
import { draftIdOf } from "../drafting/draft-ids.ts";
import { askCreators } from "../drafting/read-replies.ts";
import { promptRef } from "./prompt-provenance.ts";
import { textKey } from "./sha256.ts";

/**
 * First drafts of one asset, several at once, each from another angle, for a person or a loop to start from. Nobody
 * reviews them yet. One that says the same as another, or as a text that is there already, is dropped.
 */
export const draftAssetFlow: Flow = async (ctx, json) => {
  const { draft, sources, known = [] } = decodeAssetJob(json);
  const { assetId, maxTurns, recipe } = draft;
  const asks = new DraftAsks(draft, {
    nonce: (name) => ctx.nonce(name),
    provenanceOf: (ask) => [promptRef(ask), ...sources],
  });
  const state: LoopState = { maxIterations: maxTurns, iterations: [] };
  const indices = Array.from({ length: draft.candidates }, (_, at) => at + 1);
  const angleOf = (index: number) => (draft.candidates > 1 ? draftAngle(index) : undefined);
  const first = indices.map((index) => asks.create({ state, ledger: [] }, index, angleOf(index)));
  const tools = await checkToolsFor(recipe.checks);
  const { received } = await askCreators(ctx, asks, first);
  const seen = new Set(known);
  const fresh = received.filter(({ said }) => seen.size < seen.add(textKey(said.content)).size);
  const dropped = received.length - fresh.length;
  for (const one of fresh) {
    const candidateId = draftIdOf(ctx, draft, `draft_candidate:${assetId}:${one.index}`);
    const provenance = [...one.provenance, draftedAs(one.index, draft.candidates)];
    const created = { ...one, candidateId, provenance };
    ctx.emit(encodeDraftEvent(candidateWritten({ input: draft, tools }, 0, created)));
  }
  const written = { asset_id: assetId, candidates: fresh.length, dropped };
  ctx.emit({ kind: "drafts-written", data: written });
  return written;
};

/** The loop of drafting on one asset of an episode; its texts say what they were made from. */
export const reviewAssetFlow: Flow = (ctx, json) => {
  const { draft, sources, closes } = decodeAssetJob(json);
  return runDraftLoop(ctx, draft, {
    closes,
    provenanceOf: (ask) => [promptRef(ask), ...(ask.request.role === "creator" ? sources : [])],
  });
};

/** The work on several assets of one episode, side by side. It ends well only when all of them did. */
export const assetsFlow: Flow = async (ctx, json) => {
  const { jobs } = json as unknown as { readonly jobs: readonly Job[] };
  const endings = await ctx.children(jobs);
  const failed = endings.find((ending) => ending.kind === "failed");
  if (failed !== undefined) {
    const { code, message, retryable } = failed.error;
    throw new AgentError(message, { code, retryable });
  }
  const undone = endings.filter((ending) => ending.kind !== "finished").length;
  if (undone > 0) {
    throw new AgentError(`${undone} of ${jobs.length} assets were not finished.`, {
      code: endings.some((one) => one.kind === "stopped" && one.reason === "budget")
        ? "over-budget"
        : "interrupted",
    });
  }
  return { endings: endings as unknown as Json };
};
