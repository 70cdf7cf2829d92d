import { v5 as uuidv5 } from "uuid";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { IssuePlace } from "../../domain/drafting/judge-candidate.ts";
import type { FlowContext } from "../../ports/flow.ts";

const zeroNamespace = new Uint8Array(16);

/** Of scripted runs, ids depend on asset and place alone, so that two runs of one script can be compared. */
export function candidateIdOf(
  ctx: FlowContext,
  { assetId, fixedIds }: DraftInput,
  place: { readonly iteration: number; readonly index: number },
): string {
  const name = `candidate:${assetId}:${place.iteration}${further(place.index)}`;
  return fixedIds ? uuidv5(name, zeroNamespace) : ctx.newId(name);
}

export function issueIdOf(
  ctx: FlowContext,
  { assetId, fixedIds }: DraftInput,
  place: IssuePlace,
): string {
  const { iteration, candidateIndex, ordinal } = place;
  const name = `review_issue:${assetId}:${iteration}${further(candidateIndex)}:${ordinal}`;
  return fixedIds ? uuidv5(name, zeroNamespace) : ctx.newId(name);
}

function further(index: number): string {
  return index === 1 ? "" : `:${index}`;
}
