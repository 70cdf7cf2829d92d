import type { BusinessReview, TruthReview } from "./reviews.ts";
import type { Status } from "./step-status.ts";

/** The part of `pack_state.json` that saving relies on. */
export interface SavedPackState {
  readonly finalStatus: Status;
  readonly acceptanceGatePassed: boolean;
  readonly unresolvedP0Count: number;
}

/** Hashes by name, as the run recorded them and as they are now. */
export interface EvidenceHashes {
  readonly recorded: { readonly [name: string]: string };
  readonly actual: { readonly [name: string]: string };
}

/** The evidence that a run left, and whether it is still what was recorded. */
export interface ValidatedRun {
  readonly packState: SavedPackState;
  readonly truthReview: Pick<TruthReview, "summary">;
  readonly businessReview: Pick<BusinessReview, "overallBusinessStatus" | "businessAnswerFailures">;
  readonly hashes: EvidenceHashes;
}

/** Without a run there is no evidence; saving anyway needs a reason. */
export interface SaveRequest {
  readonly run?: ValidatedRun;
  readonly allowUnvalidated: boolean;
  readonly unvalidatedReason?: string;
}

/** Saved as proven, saved with a mark that it is not, or refused with every reason. */
export type SaveDecision =
  | { readonly kind: "save"; readonly mark: "validated" }
  | {
      readonly kind: "save";
      readonly mark: "unvalidated";
      readonly reason: string;
      readonly failing: readonly string[];
    }
  | { readonly kind: "refuse"; readonly reasons: readonly string[] };

/** Names of hashes that a run must have recorded to prove anything. */
export const REQUIRED_HASHES = [
  "spec",
  "pack_state.json",
  "truth_review.json",
  "business_review.json",
] as const;

/** Saving never replays: it believes a run only if the run is whole, of this spec, and untouched. */
export function decideSave(request: SaveRequest): SaveDecision {
  const reasons =
    request.run === undefined ? ["no validated run was given"] : reasonsAgainst(request.run);
  if (reasons.length === 0) return { kind: "save", mark: "validated" };
  if (!request.allowUnvalidated) return { kind: "refuse", reasons };
  const reason = request.unvalidatedReason?.trim() ?? "";
  return reason === ""
    ? { kind: "refuse", reasons: ["an unvalidated save needs a reason"] }
    : { kind: "save", mark: "unvalidated", reason, failing: reasons };
}

function reasonsAgainst({ packState, truthReview, businessReview, hashes }: ValidatedRun) {
  const failures = businessReview.businessAnswerFailures;
  const openP0 = Math.max(packState.unresolvedP0Count, truthReview.summary.unresolvedP0);
  return [
    ...(packState.finalStatus === "accepted" ? [] : [`final_status is ${packState.finalStatus}`]),
    ...(packState.acceptanceGatePassed === true ? [] : ["acceptance_gate_passed is false"]),
    ...(truthReview.summary.overallStatus === "pass" ? [] : ["truth_review does not pass"]),
    ...(businessReview.overallBusinessStatus === "pass" ? [] : ["business_review does not pass"]),
    ...(openP0 === 0 ? [] : [`${openP0} unresolved P0`]),
    ...(failures === 0 ? [] : [`${failures} business-answer failures`]),
    ...hashReasons(hashes),
  ];
}

function hashReasons({ recorded, actual }: EvidenceHashes): readonly string[] {
  const names = new Set([...REQUIRED_HASHES, ...Object.keys(recorded)]);
  return [...names].flatMap((name) => {
    const then = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
    const now = Object.hasOwn(actual, name) ? actual[name] : undefined;
    if (then === undefined || then === "") return [`the run recorded no hash of ${name}`];
    if (then === now) return [];
    return [name === "spec" ? "the run is of another spec" : `${name} was changed after the run`];
  });
}
