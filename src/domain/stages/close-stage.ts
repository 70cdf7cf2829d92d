import { decideClosingGate } from "./closing-gate.ts";
import type { StageClosed, StageHistory } from "./stage-history.ts";

export type CloseDecision =
  | { readonly kind: "close"; readonly event: StageClosed }
  | { readonly kind: "refuse"; readonly reasons: readonly string[] };

/** The last human act: a name, and only while the gate is open. */
export function decideClose(
  history: StageHistory,
  { confirmedBy, reason = "" }: Omit<StageClosed, "kind">,
): CloseDecision {
  const gate = decideClosingGate(history);
  const name = confirmedBy.trim();
  const why = reason.trim();
  const reasons = [
    ...gate.reasons,
    ...(gate.status === "closed" ? ["the stage is already closed"] : []),
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
