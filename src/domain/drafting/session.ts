import type { Instant } from "../values/instant.ts";
import type { LoopDecision } from "./decision.ts";
import type { Review } from "./review.ts";

export type CompletionReason =
  | "approved"
  | "max_turns"
  | "error"
  | "cancelled"
  | "stalled"
  | "oscillating"
  | "late_issues"
  | "budget";

/** One writer–reviewer exchange as people read it. */
export interface Turn {
  readonly turnNumber: number;
  readonly text: string;
  /** The reviewer's words; absent when approved. */
  readonly feedback?: string;
  readonly approved: boolean;
  readonly timestamp: Instant;
  readonly durationSeconds: number;
  readonly review: Review;
}

export interface UsageTotals {
  readonly calls: number;
  readonly replayed: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Absent when the price of any call is unknown. */
  readonly microUsd?: number;
}

/** A whole drafting run: what was asked, every turn, how it ended. */
export interface DraftSession {
  readonly runId: string;
  readonly recipe: string;
  readonly userInput: string;
  readonly modelName: string;
  readonly reviewerModels: readonly string[];
  /** Signed by rule-based stand-ins, not by models. */
  readonly standIn: boolean;
  readonly maxTurns: number;
  readonly turns: readonly Turn[];
  /** The approved text; else the best so far (fewest errors, highest score, latest). */
  readonly finalText?: string;
  readonly completionReason?: CompletionReason;
  readonly decision?: LoopDecision;
  readonly createdAt: Instant;
  readonly completedAt?: Instant;
  readonly usage: UsageTotals;
}

/** The state machine of seed 004, visible in events. */
export type LoopPhase = "initialized" | "generating" | "reviewing" | "deciding" | "completed";
