import type { Decider } from "../evidence/standing.ts";
import { type Instant, secondsBetween } from "../values/instant.ts";
import type { LoopDecision } from "./decision.ts";
import type { CompletionReason, DraftOutcome, DraftRuling } from "./draft-outcome.ts";
import { checksReviewer, personReviewer } from "./issue-ledger.ts";
import type { PanelDecision } from "./panel.ts";
import type { Review } from "./review.ts";
import type { MemberSignature } from "./signature.ts";

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
  /** How each approval of this turn was signed; absent where no member approved. */
  readonly signatures?: readonly MemberSignature[];
  /** How the panel voted; absent without a panel. */
  readonly vote?: PanelDecision;
  /** The turn's other drafts, which were not kept; absent where there was one. */
  readonly losers?: readonly { readonly text: string; readonly review: Review }[];
}

/** What a session took. */
export interface UsageTotals {
  /** Physical calls, those without a reply included. */
  readonly calls: number;
  /** Calls whose reply came from the record and cost nothing now. */
  readonly replayed: number;
  /** Calls that failed, timed out or were lost with their process; they may have been billed. */
  readonly unanswered?: number;
  /** Absent, like the output, when the tokens of any reply are unknown. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
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
  /** The members of the panel; a single reviewer may have no name of its own. */
  readonly reviewers: readonly { readonly label: string; readonly model: string }[];
  /** At least one side is a rule-based stand-in. */
  readonly standIn: boolean;
  /** Who decided: the sides of the loop, or the person who ruled on its result. */
  readonly deciders: readonly Decider[];
  readonly maxTurns: number;
  readonly turns: readonly Turn[];
  /** The text that the loop or a person approved; else the best so far (fewest errors, highest score, latest). */
  readonly finalText?: string;
  /** How the loop ended. */
  readonly completionReason?: CompletionReason;
  /** What became of the draft, people's rulings included. */
  readonly outcome?: DraftOutcome;
  /** The last ruling of a person on this draft. */
  readonly ruling?: DraftRuling;
  /** The version of the rule that the loop was decided by; 1 for records that do not name it. */
  readonly rule?: number;
  /** Why it ended in `error`. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly decision?: LoopDecision;
  readonly createdAt: Instant;
  readonly completedAt?: Instant;
  readonly usage: UsageTotals;
}

/** The phase of a loop according to its events: from `generating` to `deciding` once a turn. */
export type LoopPhase = "initialized" | "generating" | "reviewing" | "deciding" | "completed";

/** From the first moment to the last; absent while the run is unfinished. */
export function durationSeconds(session: DraftSession): number | undefined {
  return session.completedAt === undefined
    ? undefined
    : secondsBetween(session.createdAt, session.completedAt);
}

/**
 * Mean of the turns' own durations, to the millisecond, so pauses between two sittings do not count; absent without a
 * turn.
 */
export function averageDurationPerTurn({ turns }: Pick<DraftSession, "turns">): number | undefined {
  if (turns.length === 0) return undefined;
  const sum = turns.reduce((seconds, turn) => seconds + turn.durationSeconds, 0);
  return Math.round((sum / turns.length) * 1000) / 1000;
}

/** A person's text was reviewed, and no model wrote. */
export function isReviewOnly({ modelName }: Pick<DraftSession, "modelName">): boolean {
  return modelName === personReviewer;
}

/** Whether both sides signed, or a person approved the text. */
export function succeeded(session: Pick<DraftSession, "outcome" | "completionReason">): boolean {
  return (session.outcome ?? session.completionReason) === "approved";
}

/**
 * The words of a review that asks for more: its summary and what the checks found, which the reviewer's words
 * know nothing of; without a summary its issues, one below the other.
 */
export function feedbackOf(review: Review): string | undefined {
  const summary = review.summary?.trim() ?? "";
  const named = review.issues.filter(
    (issue) => summary === "" || (issue.reviewer === checksReviewer && issue.severity === "error"),
  );
  const words = [summary, ...named.map((issue) => issue.message)].filter((part) => part !== "");
  return words.length === 0 ? undefined : words.join("\n");
}
