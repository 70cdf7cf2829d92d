import type { Decider } from "../evidence/standing.ts";
import type { AssistantIdentity } from "../scenarios/assistant-identity.ts";
import type { CheckLists } from "../scenarios/check-rules.ts";
import type { CoderStatus } from "../scenarios/coder-status.ts";
import type { Status } from "../scenarios/step-status.ts";
import type { AskedQuestion, StageFinding } from "./asked-question.ts";

/** The assistant under test: the same one has the same address and name, and is asked and read in the same way. */
export interface StageAssistant extends Pick<AssistantIdentity, "url" | "name"> {
  /** Digest of how the settings had it asked and its answers read; absent in records of older versions. */
  readonly setup?: string;
}

/** What a replay of the pack shows; derived from the recorded answers each time it is needed, never stored. */
export interface Replay {
  /** When its first question was asked. */
  readonly begunAt: string;
  readonly assistant: StageAssistant;
  readonly analyst: string;
  readonly deciders: readonly Decider[];
  readonly score?: number;
  readonly asked: readonly AskedQuestion[];
  readonly findings: readonly StageFinding[];
  /** What the analyst wants a person to decide. */
  readonly decisionNeeded?: string;
  /** The project's lists at that time, if they were not the usual ones. */
  readonly checkLists?: CheckLists;
}

/** A finished iteration of a pack loop: a live replay with its verdict. */
export interface LoopFinished {
  readonly kind: "loop-finished";
  readonly loopId: string;
  /** The pack run that it rests on; absent in records of older versions. */
  readonly run?: string;
  readonly packHash: string;
  readonly status: Status;
  /** The stage's gate over this loop: score, verdict, targets and flags. */
  readonly accepted: boolean;
  readonly requiresUserDecision: boolean;
  readonly openP0: number;
  readonly openP1: number;
  /** Why it was not accepted. */
  readonly problems?: readonly string[];
  /** Absent where the evidence is not in this project's store, or nothing was answered. */
  readonly replay?: Replay;
  /** As they were when the loop was recorded: they outlive its runs. */
  readonly findings?: readonly StageFinding[];
}

/** A run made elsewhere, reviewed and filed under the stage. */
export interface RunIngested {
  readonly kind: "run-ingested";
  readonly runId: string;
  readonly openP0: number;
  readonly openP1: number;
  /** As asked; folded only for comparison. */
  readonly questions: readonly string[];
  readonly asked?: readonly AskedQuestion[];
  readonly findings?: readonly StageFinding[];
  /** Digest of what was asked and answered: the same conversation counts once. */
  readonly conversation?: string;
  /** Who brought it in. */
  readonly by?: string;
  /** When it was held, by its own files or by the person's word; without it the run proves nothing. */
  readonly heldAt?: string;
  /** The project's lists at that time, if they were not the usual ones. */
  readonly checkLists?: CheckLists;
}

/** Findings of folders and records that this project's store does not know: never proof. */
export interface FindingsImported {
  readonly kind: "findings-imported";
  readonly from: string;
  readonly findings: readonly StageFinding[];
}

export interface RepairPrepared {
  readonly kind: "repair-prepared";
  readonly iterationId: string;
  readonly packHash: string;
  /** Questions of the repair's targets: what a validation must ask. */
  readonly questions: readonly string[];
  /** Ids of the findings that it is about. */
  readonly findings?: readonly string[];
}

/** Recorded before the coder starts, so that a crash cannot pass for a repair that never ran. */
export interface RepairStarted {
  readonly kind: "repair-started";
  readonly iterationId: string;
}

/**
 * `tampered`: what a verdict rests on was different after the coder than before it. `unobserved`: the process that
 * watched over it was lost.
 */
export type RepairEvidence = "intact" | "tampered" | "unobserved";

export interface RepairExecuted {
  readonly kind: "repair-executed";
  readonly iterationId: string;
  readonly dryRun: boolean;
  readonly coderStatus: CoderStatus;
  /** When the coder was seen to end. */
  readonly endedAt?: string;
  readonly evidence?: RepairEvidence;
  /** What the coder changed of the things a verdict rests on. */
  readonly tampered?: readonly string[];
}

export interface DecisionGiven {
  readonly kind: "decision-given";
  readonly by: string;
  readonly choice?: string;
  readonly question?: string;
  readonly comment?: string;
}

/** A person settles a finding, or vouches for what a coder left behind. */
export interface RulingGiven {
  readonly kind: "ruling-given";
  readonly finding?: string;
  readonly repair?: string;
  readonly by: string;
  readonly reason: string;
  readonly ruledAt: string;
}

/** A person says that the assistant under test has another address from now on. */
export interface AssistantChanged {
  readonly kind: "assistant-changed";
  readonly to: StageAssistant;
  readonly by: string;
  readonly reason: string;
}

export interface StageClosed {
  readonly kind: "stage-closed";
  readonly confirmedBy: string;
  /** What the person saw that made them confirm. */
  readonly reason?: string;
}

export interface StageReopened {
  readonly kind: "stage-reopened";
  readonly by: string;
  readonly reason: string;
}

/** What happened to a stage, oldest first. Everything else about it is computed from this. */
export type StageEvent =
  | LoopFinished
  | RunIngested
  | FindingsImported
  | RepairPrepared
  | RepairStarted
  | RepairExecuted
  | DecisionGiven
  | RulingGiven
  | AssistantChanged
  | StageClosed
  | StageReopened;

/** In the order of happening. */
export type StageHistory = readonly StageEvent[];

/** A process by its full name: pids are reused. */
export interface StageProcess {
  readonly host: string;
  readonly pid: number;
  readonly processStart: string;
}

/** An event as the store keeps it. */
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

export function latest<E extends StageEvent>(
  history: readonly StageEvent[],
  kind: E["kind"],
): E | undefined {
  return history.findLast((event): event is E => event.kind === kind);
}
