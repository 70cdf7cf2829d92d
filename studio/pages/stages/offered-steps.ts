import type { NextAction } from "../../../src/domain/stages/next-action.ts";
import type { StageDetail, Step } from "./stage-queries.ts";

export interface Offer {
  readonly step: Step | "import" | "decide";
  readonly label: string;
  /** What prevents it, and what to do about it. */
  readonly problem?: string;
  readonly hint?: string;
}

const offers: { readonly [action in NextAction]: readonly Offer[] } = {
  continue_autonomous_or_fix_blocker: [{ step: "run", label: "Run the pack" }],
  lead_coder_repair_required: [
    { step: "continue", label: "Prepare the repair" },
    { step: "run", label: "Run the pack again" },
  ],
  user_decision_required: [{ step: "decide", label: "Decide" }],
  continue_repair_from_gui_review_p0: [{ step: "continue", label: "Prepare the repair" }],
  continue_repair_from_gui_review_p1: [{ step: "continue", label: "Prepare the repair" }],
  execute_prepared_repair: [{ step: "execute-repair", label: "Start the coder" }],
  rerun_and_ingest_validation: [
    { step: "run", label: "Replay the pack" },
    { step: "import", label: "Import a run" },
  ],
  inspect_repair_result: [
    { step: "prepare-repair", label: "Prepare another repair" },
    { step: "run", label: "Run the pack again" },
  ],
  manual_gui_confirmation_or_stage_close: [],
  stage_closed: [],
};

/** The steps that can be taken now, the likeliest first; confirming and reopening have buttons of their own. */
export function offeredSteps({ stage, coder, loop }: StageDetail): readonly Offer[] {
  if (stage.is_at_work || loop?.is_playing === true) return [];
  const offered = offers[stage.next_action];
  const last = stage.history.at(-1)?.event.kind;
  if (stage.next_action === "execute_prepared_repair" && last === "repair-prepared") {
    return [{ step: "continue", label: "Make the dry run" }];
  }
  return offered.map((offer) => ({
    ...offer,
    ...(offer.step === "run" && loop !== null ? { label: "Resume the loop" } : {}),
    ...(offer.step === "execute-repair" && coder.problem !== null
      ? { problem: coder.problem, hint: coder.hint ?? "" }
      : {}),
  }));
}
