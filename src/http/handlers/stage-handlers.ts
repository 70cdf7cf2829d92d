import { defined } from "../../domain/values/defined.ts";
import { WorkflowError } from "../../domain/values/workflow-error.ts";
import {
  confirmStage,
  openStageById,
  reopenStage,
  ruleOnStage,
} from "../../orchestration/stages/close-stage.ts";
import { listStages } from "../../orchestration/stages/list-stages.ts";
import {
  loadStageDetail,
  loadStageDocument,
} from "../../orchestration/stages/load-stage-detail.ts";
import { type HandlersFor, ok } from "../handler.ts";
import type { AskedStep, StepTaken } from "../stage-steps.ts";
import type { StudioParts } from "../studio-parts.ts";

export function stageHandlers(
  parts: StudioParts,
): HandlersFor<`${"GET" | "POST"} /api/v1/stages${string}`> {
  const { stages } = parts;
  const detailOf = async (stageId: string) => ({
    ...(await loadStageDetail(stages, stageId)),
    ...(await stages.work(stageId)),
  });
  const done = async (stageId: string, { said, run }: StepTaken) =>
    ok({ ...(await detailOf(stageId)), said, ...defined({ runId: run }) });
  const take = async (stageId: string, asked: AskedStep) =>
    done(stageId, await stages.take(stageId, asked));
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
    "GET /api/v1/stages/:stage_id": async ({ params }) => ok(await detailOf(params.stageId)),
    "GET /api/v1/stages/:stage_id/documents/:document_id": async ({ params }) =>
      ok(await loadStageDocument(stages, params.stageId, params.documentId)),
    "POST /api/v1/stages/:stage_id/confirmation": async ({ params, body, author }) => {
      const { version: seen, reason } = body;
      const confirmation = { confirmedBy: author.by, reason, seen };
      const { decision } = await confirmStage(stages, params.stageId, confirmation);
      if (decision.kind === "refuse") throw gateNotOpen(decision.reasons);
      return ok(await detailOf(params.stageId));
    },
    "POST /api/v1/stages/:stage_id/steps": ({ params, body, author }) =>
      take(params.stageId, { step: body.step, seen: body.version, by: author.by }),
    "POST /api/v1/stages/:stage_id/imports": ({ params, body, author }) =>
      take(params.stageId, {
        ...{ step: "import", runId: body.runId, seen: body.version, by: author.by },
      }),
    "POST /api/v1/stages/:stage_id/decision": ({ params, body, author }) => {
      const { version: seen, choice, comment } = body;
      const decided = { choice, ...defined({ comment: comment || undefined }) };
      return take(params.stageId, { step: "decide", seen, by: author.by, ...decided });
    },
    "POST /api/v1/stages/:stage_id/ruling": async ({ params, body, author: { by } }) => {
      const { about, id, reason, version: seen } = body;
      const stage = await openStageById(stages, params.stageId);
      await ruleOnStage(stages, stage, { by, reason, seen, [about]: id });
      return done(params.stageId, { said: [`${by} ruled on ${about} ${id}.`] });
    },
    "POST /api/v1/stages/:stage_id/reopening": async ({ params, body, author: { by } }) => {
      const stage = await openStageById(stages, params.stageId);
      await reopenStage(stages, stage, { by, reason: body.reason, seen: body.version });
      return done(params.stageId, { said: [`Reopened by ${by}.`] });
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
