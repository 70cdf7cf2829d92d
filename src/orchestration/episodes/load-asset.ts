import type { Candidate } from "../../domain/drafting/candidate.ts";
import { isLocked, type LoopDecision } from "../../domain/drafting/decision.ts";
import type { Review } from "../../domain/drafting/review.ts";
import { isLockedKind } from "../../domain/episodes/asset-kind.ts";
import type { LoopAct } from "../../domain/episodes/loop-ledger.ts";
import { byAge } from "../../domain/episodes/timestamp.ts";
import { defined } from "../../domain/values/defined.ts";
import type { Instant } from "../../domain/values/instant.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import type { EpisodeFolder } from "../../ports/episode-folder.ts";
import { assetOnDisk, currentState } from "./episode-state.ts";
import { type AssetStanding, assetStanding } from "./freeze-asset.ts";
import { sha256Digest } from "./sha256.ts";

/** One text of an episode with everything a person needs to choose. */
export interface AssetDetail {
  readonly assetId: string;
  readonly version: string;
  readonly maxIterations?: number;
  readonly decision?: LoopDecision;
  readonly selection?: {
    readonly text: string;
    readonly candidateId?: string;
    readonly madeBy: "person" | "loop" | "unknown";
  };
  readonly isTextLocked: boolean;
  readonly canUnlock: boolean;
  readonly candidates: readonly (Pick<
    Candidate,
    "candidateId" | "format" | "content" | "createdAt"
  > & { readonly iteration?: number; readonly model?: string })[];
  readonly reviews: readonly Review[];
  readonly acts: readonly LoopAct[];
}

export async function loadAsset(
  folder: EpisodeFolder,
  assetId: string,
  at: Instant,
): Promise<AssetDetail> {
  const state = await currentState(folder, at);
  const asset = await assetOnDisk(folder, state, assetId);
  const standing = await assetStanding(folder, assetId, state);
  const { protocol, selection, record, isTextLocked } = standing;
  const turns = new Map(
    (protocol?.iterations ?? []).map((one) => [one.candidate.candidateId, one.iteration]),
  );
  const chosen = defined({ candidateId: asset.selectedCandidateId });
  const madeBy = record?.madeBy ?? ("unknown" as const);
  return {
    assetId,
    version: versionOf(standing),
    ...defined({
      maxIterations: protocol?.maxIterations,
      decision: protocol?.decision,
      selection: selection && { text: selection.text, madeBy, ...chosen },
    }),
    isTextLocked: isLockedKind(assetId) && isTextLocked,
    canUnlock: isTextLocked || isLocked(protocol?.decision),
    candidates: [...asset.candidates].sort(byAge).map((one) => describe(one, turns)),
    reviews: (protocol?.iterations ?? []).map(({ review }) => review),
    acts: standing.ledger?.acts ?? [],
  };
}

function describe(candidate: Candidate, turns: ReadonlyMap<string, number>) {
  const { candidateId, format, content, createdAt, provenance } = candidate;
  const models = provenance.map(({ metadata }) => metadata.model);
  const model = models.find((one) => typeof one === "string");
  const iteration = turns.get(candidateId);
  return { candidateId, format, content, createdAt, ...defined({ iteration, model }) };
}

/**
 * Identifies what a decision about an asset depends on: the loop's turns and decision, the selected text, and people's
 * acts. A candidate added meanwhile does not change it.
 */
export function versionOf({ protocol, ledger, selection, generation }: AssetStanding): string {
  const facts = [
    generation,
    protocol?.iterations.at(-1)?.iteration ?? 0,
    protocol?.decision ?? null,
    selection?.text ?? null,
    ledger?.acts.length ?? 0,
  ];
  return sha256Digest(JSON.stringify(facts)).slice(0, 16);
}

/** Refuses a decision about a state that has changed since, and names the last person who acted. */
export function requireVersion(standing: AssetStanding, seen: string | undefined): void {
  if (seen === undefined || seen === versionOf(standing)) return;
  const last = standing.ledger?.acts.at(-1);
  const reason = last?.reason === undefined ? "" : `: ${last.reason}`;
  const who = last === undefined ? "" : ` ${last.by} did the last act (${last.kind})${reason}.`;
  throw new WorkflowError(`${standing.assetId} has changed since you looked at it.${who}`, {
    code: "asset-moved",
    facts: { asset: standing.assetId },
    hint: "Nothing was changed. Look at it again before you decide.",
  });
}
