import type { Signature } from "../drafting/signature.ts";
import type { ProblemSeverity } from "./manifest.ts";

export const LOOP_DECISIONS = [
  "accepted",
  "continue",
  "partial",
  "blocked",
  "needs_exact_capability",
] as const;

export type AnalystDecision = (typeof LOOP_DECISIONS)[number];

export const USER_DECISION_TYPES = [
  "missing_observation",
  "architecture_risk",
  "brittle_workaround",
  "business_tradeoff",
  "none",
] as const;

export type UserDecisionType = (typeof USER_DECISION_TYPES)[number];

export const VERDICT_FLAGS = [
  "directAnswerOk",
  "businessUsefulnessOk",
  "focusObjectContinuityOk",
  "bundleReuseOk",
  "followupActionResolutionOk",
  "temporalHonestyOk",
  "fieldTruthOk",
  "answerLayeringOk",
] as const;

export type VerdictFlag = (typeof VERDICT_FLAGS)[number];

export interface PriorityTarget {
  readonly severity: ProblemSeverity;
  readonly problemType: string;
  readonly fixGoal: string;
  readonly candidateFiles: readonly string[];
  readonly evidence?: string;
  readonly question?: string;
}

/** The fields that the gate reads. One missing or out of range voids the whole verdict. */
export interface GateFields extends Readonly<Record<VerdictFlag, boolean>> {
  /** From 0 to 100, whole. */
  readonly qualityScore: number;
  readonly loopDecision: AnalystDecision;
  readonly requiresUserDecision: boolean;
  readonly unresolvedP0Count: number;
  readonly priorityTargets: readonly PriorityTarget[];
}

/** What the analyst said; everything beside the gate's fields may be absent. */
export interface AnalystVerdict extends GateFields {
  readonly summary?: string;
  readonly userIntentSummary?: string;
  readonly expectedDirectAnswer?: string;
  readonly actualDirectAnswer?: string;
  readonly businessUtilityScore?: number;
  readonly directAnswerPriorityScore?: number;
  readonly stateContinuityScore?: number;
  readonly answerShapeScore?: number;
  readonly evidenceClarityScore?: number;
  readonly recommendedStateObjects: readonly string[];
  readonly userDecisionType: UserDecisionType;
  readonly userDecisionPrompt?: string;
  readonly regressionDetected?: boolean;
  readonly rootCauseLayers: readonly string[];
  readonly brokenEdgeIds: readonly string[];
  readonly violatedInvariants: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly notes: readonly string[];
}

/** A verdict that can be relied on, or why the reply is not one. */
export type VerdictReading =
  | {
      readonly kind: "read";
      readonly verdict: AnalystVerdict;
      /** Only a bare acceptance counts; what came with it otherwise is in `beside`. */
      readonly signature: Signature;
    }
  | { readonly kind: "void"; readonly problems: readonly string[] };
