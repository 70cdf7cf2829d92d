import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { decideNextAction } from "../../domain/stages/next-action.ts";
import type { LoopFinished } from "../../domain/stages/stage-history.ts";
import { defined } from "../../domain/values/defined.ts";
import { findArtifact } from "../scenarios/artifact-files.ts";
import { refuseWeakQuestions } from "../scenarios/check-questions.ts";
import { type LoopRequest, startLoopRun } from "../scenarios/run-loop.ts";
import type { PackParts } from "../scenarios/run-pack.ts";
import { savePack } from "../scenarios/save-pack.ts";
import type { StartedRun } from "../scenarios/start-run.ts";
import { loadStage } from "./load-stage.ts";
import { checkStageQuestions, makePlan, planFiles } from "./plan-stage.ts";
import { recordStage } from "./record-stage.ts";
import {
  refuseWhileCoding,
  replayCommand,
  type Stage,
  type StageParts,
  type StageState,
} from "./stage.ts";
import { latest } from "./stage-files.ts";

export interface StageRunRequest
  extends Pick<LoopRequest, "assistantUrl" | "analystModel" | "repairMode" | "maxIterations">,
    Pick<LoopRequest, "coder" | "skipQuestionReview" | "run" | "decision"> {
  /** A new loop instead of the next iteration of the present one. */
  readonly fresh: boolean;
}

export type StageRunStart =
  | { readonly kind: "started"; readonly started: StartedRun }
  /** A loop had ended before its process could record it; it is recorded now, and nothing is asked. */
  | { readonly kind: "recorded"; readonly state: StageState };

/**
 * Starts the stage's loop, resumes an unfinished one, or plays its next iteration. A loop that started before a repair
 * is never continued after it, because its answers would prove nothing.
 */
export async function startStageRun(
  parts: StageParts,
  packParts: PackParts,
  about: { readonly stage: Stage; readonly request: StageRunRequest; readonly library: string },
): Promise<StageRunStart> {
  const { stage, request, library } = about;
  const before = await loadStage(parts, stage);
  refuseWhileCoding(before);
  if (before.unrecorded > 0) {
    return { kind: "recorded", state: await recordLoop(parts, { stage, library }) };
  }
  const review = checkStageQuestions(stage, packParts.questions);
  if (!request.skipQuestionReview) refuseWeakQuestions(review);
  const loop = await chooseLoop(parts, stage, { state: before, fresh: request.fresh });
  const decides = await decisionOf(parts, stage, { before, request, loop });
  await recordStage(parts, stage, (state) => {
    refuseWhileCoding(state);
    return {
      files: planFiles(stage, makePlan(stage, review, request.analystModel)),
      entries: decides.recorded,
      openLoop: loop,
    };
  });
  const started = await startLoopRun(
    { ...packParts, fileHints: stage.manifest.fileHints },
    loopRequest(stage, { ...request, loop, decides: decides.loopWaits }),
  );
  return { kind: "started", started };
}

/** Records the loop's results from its files; an accepted pack is saved first, through the same gate as any other. */
export async function recordLoop(
  parts: StageParts,
  about: { readonly stage: Stage; readonly library: string },
): Promise<StageState> {
  const { stage, library } = about;
  parts.crash.reach("stage-loop-over");
  return await recordStage(parts, stage, async (state) => {
    const loop = latest<LoopFinished>(state.history, "loop-finished");
    const isOpen =
      state.openLoop !== undefined && (await isUnfinished(parts, stage, state.openLoop));
    const forget = isOpen ? {} : { openLoop: "none" };
    const isNew = state.unrecorded > 0;
    const { saveAutorunOnAccept } = stage.manifest;
    if (!isNew || loop === undefined || !saveAutorunOnAccept) return forget;
    if (!decideClosingGate(state.history).acceptedGate) return forget;
    const runFolder = `${stage.folder}/domain_loops/${loop.loopId}`;
    const saved = await savePack(parts, {
      pack: stage.pack,
      runFolder,
      library,
      allowUnvalidated: false,
    });
    return { ...forget, ...defined({ savedPack: saved.file }) };
  });
}

/** An unfinished loop is resumed, a rejected one gets its next iteration; otherwise a new one starts. */
async function chooseLoop(
  parts: StageParts,
  stage: Stage,
  { state, fresh }: { readonly state: StageState; readonly fresh: boolean },
): Promise<string> {
  const loops = await parts.folders.names(`${stage.folder}/domain_loops`);
  const next = `loop-${String(loops.length + 1).padStart(2, "0")}`;
  const last = loops.at(-1);
  if (fresh || last === undefined)
    return state.openLoop !== undefined && !fresh ? state.openLoop : next;
  const place = `${stage.folder}/domain_loops/${last}`;
  // Absent while the loop has not written its first file.
  const manifest = await findArtifact(parts.folders, place, "run_manifest.json");
  if (manifest?.finished !== true) return state.openLoop === last ? last : next;
  const loop = await findArtifact(parts.folders, place, "loop_state.json");
  const wasAccepted = loop?.iterations.at(-1)?.accepted === true;
  return wasAccepted || manifest.specHash !== stage.packHash ? next : last;
}

async function isUnfinished({ folders }: StageParts, stage: Stage, loop: string): Promise<boolean> {
  const place = `${stage.folder}/domain_loops/${loop}`;
  return (await findArtifact(folders, place, "run_manifest.json"))?.finished !== true;
}

/** A decision goes to the loop that waits for it; a coder's question is answered by recording who decided. */
async function decisionOf(
  parts: StageParts,
  stage: Stage,
  about: {
    readonly before: StageState;
    readonly request: StageRunRequest;
    readonly loop: string;
  },
) {
  const { before, request, loop } = about;
  const { decision } = request;
  if (decision === undefined) return { recorded: [], loopWaits: false };
  const asks = decideNextAction(before.history) === "user_decision_required";
  const waits = before.openLoop === loop && (await isUnfinished(parts, stage, loop));
  const event = { kind: "decision-given", by: decision.by } as const;
  return { recorded: asks ? [{ event, evidence: {} }] : [], loopWaits: waits || !asks };
}

function loopRequest(
  stage: Stage,
  request: StageRunRequest & { readonly loop: string; readonly decides: boolean },
): LoopRequest {
  const { assistantUrl, analystModel, repairMode, maxIterations, coder, run, decision } = request;
  return {
    folder: `${stage.folder}/domain_loops/${request.loop}`,
    assistantUrl,
    pack: stage.pack,
    repeat: 1,
    skipQuestionReview: true,
    analystModel,
    standIn: analystModel.startsWith("offline/"),
    targetScore: stage.manifest.targetScore,
    maxIterations,
    repairMode,
    ...defined({ coder }),
    validationCommand: replayCommand(stage),
    ...defined({ run, decision: request.decides ? decision : undefined }),
  };
}
