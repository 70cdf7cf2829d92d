import type { Status } from "../scenarios/step-status.ts";

export const CODER_STATUSES = [
  "patched",
  "no_change",
  "needs_decision",
  "failed",
  "interrupted",
] as const;

export type CoderStatus = (typeof CODER_STATUSES)[number];

/** A finished pack loop: a live replay with its verdict. */
export interface LoopFinished {
  readonly kind: "loop-finished";
  readonly loopId: string;
  readonly packHash: string;
  readonly status: Status;
  /** The stage's gate over this loop: score, verdict, targets and flags. */
  readonly accepted: boolean;
  readonly requiresUserDecision: boolean;
  readonly openP0: number;
  readonly openP1: number;
}

/** A run made elsewhere, reviewed and filed under the stage. */
export interface RunIngested {
  readonly kind: "run-ingested";
  readonly runId: string;
  readonly openP0: number;
  readonly openP1: number;
  /** As asked; folded only for comparison. */
  readonly questions: readonly string[];
}

export interface RepairPrepared {
  readonly kind: "repair-prepared";
  readonly iterationId: string;
  readonly packHash: string;
  /** Questions of the repair's targets: what a validation must ask. */
  readonly questions: readonly string[];
}

/** Recorded before the coder starts, so that a crash cannot pass for a repair that never ran. */
export interface RepairStarted {
  readonly kind: "repair-started";
  readonly iterationId: string;
}

export interface RepairExecuted {
  readonly kind: "repair-executed";
  readonly iterationId: string;
  readonly dryRun: boolean;
  readonly coderStatus: CoderStatus;
}

export interface DecisionGiven {
  readonly kind: "decision-given";
  readonly by: string;
}

export interface StageClosed {
  readonly kind: "stage-closed";
  readonly confirmedBy: string;
}

/** What happened to a stage, oldest first. Everything else about it is computed from this. */
export type StageEvent =
  | LoopFinished
  | RunIngested
  | RepairPrepared
  | RepairStarted
  | RepairExecuted
  | DecisionGiven
  | StageClosed;

export type StageHistory = readonly StageEvent[];
