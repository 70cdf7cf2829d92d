import { defined } from "../values/defined.ts";
import type { Instant } from "../values/instant.ts";
import type { LoopDecision } from "./decision.ts";

/**
 * Only `approved` means that both sides signed. `interrupted` can be resumed, `cancelled` cannot. `stalled`, `oscillating` and `late_issues` are stop rules of the
 * recipe.
 */
export type CompletionReason =
  | "approved"
  | "max_turns"
  | "error"
  | "cancelled"
  | "interrupted"
  | "stalled"
  | "oscillating"
  | "late_issues"
  | "budget";

/**
 * A converged loop was approved. Of the other decisions each names its reason; one that the loop itself never
 * makes was forced from outside and counts as an error.
 */
export function completionReasonOf(
  decision: Pick<LoopDecision, "outcome" | "reason">,
): CompletionReason | undefined {
  if (decision.outcome === "in_progress") return undefined;
  if (decision.outcome === "converged") return "approved";
  switch (decision.reason) {
    case "iteration_limit":
      return "max_turns";
    case "stalled":
    case "oscillating":
    case "late_issues":
      return decision.reason;
    default:
      return "error";
  }
}

/** A person's act on a draft. */
export interface DraftRuling {
  readonly act: "approve" | "request_changes" | "edit";
  readonly by: string;
  readonly at: Instant;
  readonly reason?: string;
  /** The text that was approved, or the person's own. */
  readonly text?: string;
}

/** The ruling that counts, without the facts that only its own record needs. */
export function lastRuling(rulings: readonly DraftRuling[]): DraftRuling | undefined {
  const last = rulings.at(-1);
  if (last === undefined) return undefined;
  const { act, by, at, reason, text } = last;
  return { act, by, at, ...defined({ reason, text }) };
}

/** What became of a draft. `changes_requested` and `edited`: a person started another run that continues it. */
export type DraftOutcome = CompletionReason | "changes_requested" | "edited";

/**
 * The one state of a draft, for lists, pages, commands and the API: what the last person to rule on it decided, else how
 * its loop ended. Absent while nothing is decided.
 */
export function draftOutcome(
  completionReason: CompletionReason | undefined,
  ruling: Pick<DraftRuling, "act"> | undefined,
): DraftOutcome | undefined {
  return ruling === undefined ? completionReason : outcomeOfAct[ruling.act];
}

const outcomeOfAct = {
  approve: "approved",
  request_changes: "changes_requested",
  edit: "edited",
} as const;
