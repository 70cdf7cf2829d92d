import { type CloseDecision, decideClose } from "../../domain/stages/close-stage.ts";
import { recordStage } from "./record-stage.ts";
import { refuseWhileCoding, type Stage, type StageParts, type StageState } from "./stage.ts";

/** The final human confirmation; refused while the gate is not open. */
export async function closeStage(
  parts: StageParts,
  stage: Stage,
  confirmedBy: string,
): Promise<{ readonly decision: CloseDecision; readonly state: StageState }> {
  let decision: CloseDecision | undefined;
  const state = await recordStage(parts, stage, (before) => {
    refuseWhileCoding(before);
    decision = decideClose(before.history, confirmedBy);
    return decision.kind === "close" ? { entries: [{ event: decision.event, evidence: {} }] } : {};
  });
  if (decision === undefined) throw new Error("a decision is missing");
  return { decision, state };
}
