import { type ClosingGate, decideClosingGate, type StageTerms } from "./closing-gate.ts";
import type { StageClosed, StageHistory, StageReopened } from "./stage-history.ts";

export type CloseDecision =
  | { readonly kind: "close"; readonly event: StageClosed }
  | { readonly kind: "refuse"; readonly reasons: readonly string[] };

/** The last human act: a name, and only while the gate is open. */
export function decideClose(
  history: StageHistory,
  { confirmedBy, reason = "" }: Omit<StageClosed, "kind">,
  terms: StageTerms = {},
): CloseDecision {
  const gate = decideClosingGate(history, terms);
  const name = confirmedBy.trim();
  const why = reason.trim();
  const reasons = [
    ...gate.reasons,
    ...(isStageClosed(gate) ? ["the stage is already closed"] : []),
    ...(name === "" ? ["closing needs the name of the person who confirms"] : []),
  ];
  return reasons.length > 0
    ? { kind: "refuse", reasons }
    : {
        kind: "close",
        event: {
          kind: "stage-closed",
          confirmedBy: name,
          ...(why === "" ? {} : { reason: why }),
        },
      };
}

export function isStageClosed({ closedBy }: Pick<ClosingGate, "closedBy">): boolean {
  return closedBy !== undefined;
}

export type ReopenDecision =
  | { readonly kind: "reopen"; readonly event: StageReopened }
  | { readonly kind: "refuse"; readonly why: string };

export function decideReopen(
  history: StageHistory,
  { by, reason }: Omit<StageReopened, "kind">,
): ReopenDecision {
  if (!isStageClosed(decideClosingGate(history))) {
    return { kind: "refuse", why: "The stage is not closed." };
  }
  return { kind: "reopen", event: { kind: "stage-reopened", by, reason: reason.trim() } };
}
