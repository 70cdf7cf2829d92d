import { WorkflowError } from "../../domain/values/workflow-error.ts";
import { confirmStage } from "../../orchestration/stages/close-stage.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import {
  loadStageDetail,
  loadStageDocument,
} from "../../orchestration/stages/load-stage-detail.ts";
import { type HandlersFor, ok } from "../handler.ts";
import type { StudioParts } from "../studio-parts.ts";

export function stageHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/stages${string}`> {
  const { stages } = parts;
  return {
    "GET /api/v1/stages": async () => {
      const { stages: listed, damaged } = await listStages(stages);
      const lines = listed.map(({ summary, isAtWork }) => ({
        stageId: summary.stageId,
        moduleName: summary.moduleName,
        updatedAt: summary.updatedAt,
        nextAction: summary.nextAction,
        stageClosingGate: summary.stageClosingGate,
        isAtWork,
        repairs: new Set(
          summary.history.flatMap(({ event }) =>
            event.kind === "repair-prepared" ? [event.iterationId] : [],
          ),
        ).size,
        validations: summary.repairValidationHistory.length,
      }));
      return ok({ stages: lines, damaged });
    },
    "GET /api/v1/stages/:stage_id": async ({ params }) =>
      ok(await loadStageDetail(stages, params.stageId)),
    "GET /api/v1/stages/:stage_id/documents/:document_id": async ({ params }) =>
      ok(await loadStageDocument(stages, params.stageId, params.documentId)),
    "POST /api/v1/stages/:stage_id/confirmation": async ({ params, body, author }) => {
      const { version: seen, reason } = body;
      const confirmation = { confirmedBy: author.by, reason, seen };
      const { decision } = await confirmStage(stages, params.stageId, confirmation);
      if (decision.kind === "refuse") throw gateNotOpen(decision.reasons);
      return ok(await loadStageDetail(stages, params.stageId));
    },
  };
}

function gateNotOpen(reasons: readonly string[]): WorkflowError {
  return new WorkflowError(`The stage cannot be closed: ${reasons.join("; ")}.`, {
    code: "gate-not-open",
    facts: { problems: reasons },
    hint: "Its page shows what is next.",
  });
}
