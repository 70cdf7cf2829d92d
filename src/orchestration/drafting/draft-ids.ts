import { hash } from "node:crypto";
import type { DraftInput } from "../../domain/drafting/draft-input.ts";
import type { IssuePlace } from "../../domain/drafting/judge-candidate.ts";
import { uuidOfSha1 } from "../../domain/values/uuid-of-sha1.ts";
import type { FlowContext } from "../../ports/flow.ts";

/** The namespace of 16 bytes that a UUIDv5 hashes before the name. */
const zeroNamespace = "\0".repeat(16);

/** In scripted runs ids depend only on asset and place, so that two runs of one script can be compared. */
export function candidateIdOf(
  ctx: FlowContext,
  { assetId, fixedIds }: DraftInput,
  place: { readonly iteration: number; readonly index: number },
): string {
  const name = `candidate:${assetId}:${place.iteration}${further(place.index)}`;
  return fixedIds ? fixedId(name) : ctx.newId(name);
}

export function issueIdOf(
  ctx: FlowContext,
  { assetId, fixedIds }: DraftInput,
  place: IssuePlace,
): string {
  const { iteration, candidateIndex, ordinal } = place;
  const name = `review_issue:${assetId}:${iteration}${further(candidateIndex)}:${ordinal}`;
  return fixedIds ? fixedId(name) : ctx.newId(name);
}

function fixedId(name: string): string {
  return uuidOfSha1(hash("sha1", `${zeroNamespace}${name}`));
}

function further(index: number): string {
  return index === 1 ? "" : `:${index}`;
}
