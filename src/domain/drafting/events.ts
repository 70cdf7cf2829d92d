import type { Instant } from "../values/instant.ts";
import type { Candidate, IssueAnswer } from "./candidate.ts";
import type { LoopDecision } from "./decision.ts";
import type { LoopIteration } from "./iteration.ts";
import type { RaisedIssue, Review } from "./review.ts";
import type { LoopPhase, UsageTotals } from "./session.ts";

/** What a drafting loop emits, in order. Files, rows, screens and the session are made from these alone. */
export type DraftEvent =
  | LoopStarted
  | PhaseEntered
  | CandidateWritten
  | ReviewReceived
  | IterationRecorded
  | LoopDecided;

export interface LoopStarted {
  readonly kind: "loop-started";
  readonly assetId: string;
  readonly recipe: string;
  readonly brief: string;
  readonly creatorModel: string;
  readonly reviewers: readonly { readonly label: string; readonly model: string }[];
  readonly maxTurns: number;
  readonly standIn: boolean;
  readonly createdAt: Instant;
}

export interface PhaseEntered {
  readonly kind: "phase-entered";
  readonly phase: LoopPhase;
  /** 0 before the first turn. */
  readonly turn: number;
}

export interface CandidateWritten {
  readonly kind: "candidate-written";
  readonly turn: number;
  /** From 1; above 1 only with several candidates. */
  readonly index: number;
  readonly candidate: Candidate;
  readonly done: boolean;
  readonly answers: readonly IssueAnswer[];
  readonly checks: readonly RaisedIssue[];
  readonly durationSeconds: number;
}

export interface ReviewReceived {
  readonly kind: "review-received";
  readonly turn: number;
  readonly index: number;
  /** One member's own review, before the panel is combined and the guard applied. */
  readonly review: Review;
  readonly durationSeconds: number;
}

export interface IterationRecorded {
  readonly kind: "iteration-recorded";
  readonly iteration: LoopIteration;
  readonly durationSeconds: number;
  readonly finishedAt: Instant;
  /** Of this turn alone. `replayed` is always 0 here: a replay emits what the first run emitted. */
  readonly usage: UsageTotals;
}

export interface LoopDecided {
  readonly kind: "loop-decided";
  readonly decision: LoopDecision;
  /** The version of the rule; absent in records of the first. */
  readonly rule?: number;
  readonly decidedAt: Instant;
}
