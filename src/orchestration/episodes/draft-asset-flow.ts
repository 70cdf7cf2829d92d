import { v5 as uuidv5 } from "uuid";
import { encodeDraftEvent } from "../../contract/drafting/draft-event.ts";
import { decodeAssetJob } from "../../contract/episodes/episode-jobs.ts";
import { runChecks } from "../../domain/drafting/checks.ts";
import type { LoopState } from "../../domain/drafting/iteration.ts";
import { secondsBetween } from "../../domain/values/instant.ts";
import type { Flow } from "../../ports/flow.ts";
import { checkToolsFor } from "../drafting/check-tools.ts";
import { DraftAsks } from "../drafting/draft-asks.ts";
import { askCreators } from "../drafting/read-replies.ts";
import { promptRef } from "./prompt-provenance.ts";

const zeroNamespace = "00000000-0000-0000-0000-000000000000";

/** First drafts of one asset, several at once, for a person or a loop to start from. Nobody reviews them yet. */
export const draftAssetFlow: Flow = async (ctx, json) => {
  const { draft, sources } = decodeAssetJob(json);
  const { assetId, maxTurns, recipe } = draft;
  const asks = new DraftAsks(draft, {
    nonce: (name) => ctx.nonce(name),
    provenanceOf: (ask) => [promptRef(ask), ...sources],
  });
  const state: LoopState = { maxIterations: maxTurns, iterations: [] };
  const indices = Array.from({ length: draft.candidates }, (_, at) => at + 1);
  const first = indices.map((index) => asks.create({ state, ledger: [] }, index));
  const tools = await checkToolsFor(recipe.checks);
  const { received } = await askCreators(ctx, asks, first);
  for (const { index, said, reply, provenance } of received) {
    const name = `draft_candidate:${assetId}:${index}`;
    ctx.emit(
      encodeDraftEvent({
        kind: "candidate-written",
        turn: 0,
        index,
        candidate: {
          candidateId: draft.fixedIds ? uuidv5(name, zeroNamespace) : ctx.newId(name),
          assetId,
          format: recipe.format,
          content: said.content,
          createdAt: reply.finishedAt,
          provenance,
        },
        done: said.done,
        answers: said.answers,
        checks: runChecks(recipe.checks, said.content, tools),
        durationSeconds: secondsBetween(reply.startedAt, reply.finishedAt),
      }),
    );
  }
  ctx.emit({ kind: "drafts-written", data: { asset_id: assetId } });
  return { candidates: received.length };
};
