import { defined } from "../values/defined.ts";
import type { Instant } from "../values/instant.ts";
import type { CompletionReason } from "./session.ts";

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
