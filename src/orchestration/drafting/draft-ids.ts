import { hash } from "node:crypto";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { IssuePlace } from "../../domain/drafting/judge-candidate.ts";
import { uuidOfSha1 } from "../../domain/values/uuid-of-sha1.ts";
import type { FlowContext } from "../../ports/flow.ts";

/** The namespace of 16 bytes that a UUIDv5 hashes before the name. */
const zeroNamespace = "\0".repeat(16);

/** In scripted runs ids depend only on asset and place, so that two runs of one script can be compared. */
export function draftIdOf(ctx: FlowContext, { fixedIds }: DraftInput, name: string): string {
  return fixedIds ? uuidOfSha1(hash("sha1", `${zeroNamespace}${name}`)) : ctx.newId(name);
}

export function candidateIdOf(
  ctx: FlowContext,
  input: DraftInput,
  place: { readonly iteration: number; readonly index: number },
): string {
  const name = `candidate:${input.assetId}:${place.iteration}${further(place.index)}`;
  return draftIdOf(ctx, input, name);
}

export function issueIdOf(ctx: FlowContext, input: DraftInput, place: IssuePlace): string {
  const { iteration, candidateIndex, ordinal } = place;
  const name = `review_issue:${input.assetId}:${iteration}${further(candidateIndex)}:${ordinal}`;
  return draftIdOf(ctx, input, name);
}

function further(index: number): string {
  return index === 1 ? "" : `:${index}`;
}
