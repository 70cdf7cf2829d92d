import type { StageTerms } from "./closing-gate.ts";
import { decideNextAction, type NextAction } from "./next-action.ts";
import type { StageHistory } from "./stage-history.ts";

/** A coder runs only with `executeRepair`; `runId` names an imported run that may prove the repair. */
export interface ContinueOptions {
  readonly executeRepair: boolean;
  readonly runId?: string;
}

/** The one transition that `continue` takes. */
export type ContinueStep =
  | { readonly kind: "write-loop-command" }
  | { readonly kind: "prepare-and-dry-run" }
  | { readonly kind: "dry-run-repair"; readonly iterationId: string }
  | { readonly kind: "execute-repair"; readonly iterationId: string }
  | { readonly kind: "ingest-run"; readonly runId: string }
  | { readonly kind: "wait-for-run-id" }
  | { readonly kind: "nothing"; readonly because: NextAction };

/** Exactly one step, and never a coder without `executeRepair`. */
export function decideContinue(
  history: StageHistory,
  options: ContinueOptions,
  terms: StageTerms = {},
): ContinueStep {
  const action = decideNextAction(history, terms);
  switch (action) {
    case "continue_autonomous_or_fix_blocker":
      return { kind: "write-loop-command" };
    case "lead_coder_repair_required":
    case "continue_repair_from_gui_review_p0":
    case "continue_repair_from_gui_review_p1":
      return { kind: "prepare-and-dry-run" };
    case "execute_prepared_repair":
      return repairStep(history, options);
    case "rerun_and_ingest_validation":
      return options.runId === undefined
        ? { kind: "wait-for-run-id" }
        : { kind: "ingest-run", runId: options.runId };
    case "user_decision_required":
    case "inspect_repair_result":
    case "manual_gui_confirmation_or_stage_close":
    case "stage_closed":
      return { kind: "nothing", because: action };
  }
}

function repairStep(history: StageHistory, options: ContinueOptions): ContinueStep {
  const last = history.at(-1);
  const iterationId =
    last?.kind === "repair-prepared" || last?.kind === "repair-executed" ? last.iterationId : "";
  if (options.executeRepair) return { kind: "execute-repair", iterationId };
  return last?.kind === "repair-prepared"
    ? { kind: "dry-run-repair", iterationId }
    : { kind: "nothing", because: "execute_prepared_repair" };
}
