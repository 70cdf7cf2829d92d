import type { CoderStatus } from "../scenarios/coder-status.ts";
import type { Status } from "../scenarios/step-status.ts";

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
  /** What the person saw that made them confirm. */
  readonly reason?: string;
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

/** In the order of happening. */
export type StageHistory = readonly StageEvent[];

/** A process by its full name: pids are reused. */
export interface StageProcess {
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
}

/** An event as the stage's file keeps it. */
export interface StageEntry {
  /** From 1. */
  readonly number: number;
  readonly at: string;
  readonly event: StageEvent;
  /** Hashes of the files that the event relies on, by their path below the stage. */
  readonly evidence: { readonly [file: string]: string };
  /** Who runs the coder; a dead one never finished it. */
  readonly process?: StageProcess;
}

/**
 * The history as far as its evidence is unchanged. A loop whose files were changed or lost is not accepted, and an
 * ingested run proves nothing.
 */
export function believableHistory(
  entries: readonly StageEntry[],
  actual: (file: string) => string | undefined,
): { readonly history: StageHistory; readonly changedFiles: readonly string[] } {
  const changedFiles: string[] = [];
  const history = entries.map(({ event, evidence }) => {
    const changed = Object.keys(evidence).filter((file) => actual(file) !== evidence[file]);
    changedFiles.push(...changed);
    return changed.length === 0 ? event : withoutProof(event);
  });
  return { history, changedFiles };
}

function withoutProof(event: StageEvent): StageEvent {
  switch (event.kind) {
    case "loop-finished":
      return { ...event, accepted: false };
    case "run-ingested":
      return { ...event, questions: [] };
    default:
      return event;
  }
}
