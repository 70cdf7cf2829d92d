import { isSettled, type ReviewDecision } from "./decision.ts";
import type { AcceptanceSnapshot } from "./snapshots.ts";

export const acceptanceKinds = [
  "full-review",
  "trivial-change-ack",
  "manual-ack",
  "relocation-ack",
  "migration-import",
  "vote",
] as const;

export type AcceptanceKind = (typeof acceptanceKinds)[number];

/** Where a verdict comes from, in words that follow it. */
export const acceptanceOrigins: { readonly [kind in AcceptanceKind]: string } = {
  "full-review": "from a full review",
  "trivial-change-ack": "kept after a trivial change",
  "manual-ack": "acknowledged by a person",
  "relocation-ack": "kept after a move",
  "migration-import": "imported",
  vote: "by vote",
};

/** One reviewed pair of a run, with the versions captured before the prompt was made. */
export interface ReviewedPair {
  readonly notePath: string;
  readonly noteSha: string;
  readonly gateId: string;
  readonly gateSha: string;
  readonly decision: ReviewDecision;
}

/** The acceptance a finished review earns; `undefined` for `unknown` and `error`, which settle nothing. */
export function acceptanceOfReview(
  pair: ReviewedPair,
  modelId: string,
): (AcceptanceSnapshot & { readonly kind: "full-review" }) | undefined {
  if (!isSettled(pair.decision)) return undefined;
  return {
    notePath: pair.notePath,
    gateId: pair.gateId,
    modelId,
    acceptedNoteSha: pair.noteSha,
    acceptedGateSha: pair.gateSha,
    kind: "full-review",
  };
}

export interface AckRequest extends Omit<ReviewedPair, "decision"> {
  /** The pair's current acceptance, if it ever had one. */
  readonly current?: AcceptanceSnapshot;
}

export type AckPlan =
  | { readonly kind: "acknowledge"; readonly pairs: readonly AckRequest[] }
  | { readonly kind: "refused"; readonly neverReviewed: readonly AckRequest[] };

/**
 * All or nothing: one pair that was never reviewed refuses them all, because an acknowledgement says that an
 * earlier review still holds. Pairs named twice count once; pairs already fresh need nothing.
 */
export function planAcks(requests: readonly AckRequest[]): AckPlan {
  const once = [
    ...new Map(requests.map((ask) => [JSON.stringify([ask.notePath, ask.gateId]), ask])).values(),
  ];
  const neverReviewed = once.filter((ask) => ask.current === undefined);
  if (neverReviewed.length > 0) return { kind: "refused", neverReviewed };
  const pairs = once.filter(
    ({ current, noteSha, gateSha }) =>
      current?.acceptedNoteSha !== noteSha || current.acceptedGateSha !== gateSha,
  );
  return { kind: "acknowledge", pairs };
}
