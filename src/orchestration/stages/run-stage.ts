import { readRunInput } from "../../contract/scenarios/run-inputs.ts";
import { assistantName, isSameAssistant } from "../../domain/scenarios/assistant-identity.ts";
import { decideClosingGate } from "../../domain/stages/closing-gate.ts";
import { decideNextAction } from "../../domain/stages/next-action.ts";
import { assistantsOf, countsFor } from "../../domain/stages/same-assistant.ts";
import {
  type LoopFinished,
  latest,
  type StageAssistant,
} from "../../domain/stages/stage-history.ts";
import { stageCommand } from "../../domain/stages/step-guidance.ts";
import { defined } from "../../domain/values/defined.ts";
import { isOver } from "../../domain/values/is-over.ts";
import { shellWord } from "../../domain/values/shell-word.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { refuseWeakQuestions } from "../scenarios/check-questions.ts";
import { type LoopRequest, startLoopRun } from "../scenarios/run-loop.ts";
import type { PackParts } from "../scenarios/run-pack.ts";
import { savePack } from "../scenarios/save-pack.ts";
import type { StartedRun } from "../scenarios/start-run.ts";
import { loadStage } from "./load-stage.ts";
import { checkStageQuestions, makePlan, planFiles } from "./plan-stage.ts";
import { type Recording, recordStage } from "./record-stage.ts";
import {
  type NewEntry,
  refuseClosed,
  refuseWhileCoding,
  replayCommand,
  type Stage,
  type StageParts,
  type StageState,
  termsOf,
} from "./stage.ts";
import { contractOf, decisionLines, latestExecution } from "./stage-files.ts";

export interface StageRunRequest
  extends Pick<LoopRequest, "assistantUrl" | "assistantName" | "repairMode" | "maxIterations">,
    Pick<LoopRequest, "analystModel" | "analysts" | "standIn">,
    Pick<LoopRequest, "coder" | "skipQuestionReview" | "run" | "decision" | "sessions">,
    Pick<LoopRequest, "budget" | "choice" | "maxQuestions">,
    Partial<Pick<LoopRequest, "repeat">>,
    Recording {
  /** Digest of how the settings have the assistant asked and its answers read. */
  readonly assistantSetup: string;
  /** A new loop instead of the next iteration of the present one. */
  readonly fresh: boolean;
  /** Why the assistant is at another address than before, and who says so. */
  readonly assistantChanged?: { readonly by: string; readonly reason: string };
}

export type StageRunStart =
  | { readonly kind: "started"; readonly started: StartedRun }
  /** A loop had ended before its process could record it; it is recorded now, and nothing is asked. */
  | { readonly kind: "recorded"; readonly state: StageState }
  /** The person decided to stop, so nothing is asked. */
  | { readonly kind: "stopped"; readonly state: StageState };

/** What was done where nothing is asked. */
export function saidOfStart(kind: "recorded" | "stopped"): string {
  return kind === "stopped"
    ? "Stopped, as decided; nothing was asked."
    : "A loop had ended before it could be recorded; it is recorded now.";
}

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
  const before = await loadStage(parts, { folder: stage.folder, terms: termsOf(stage) });
  refuseWhileCoding(before);
  refuseClosed(stage, before);
  if (before.endedLoops > 0) {
    return { kind: "recorded", state: await recordLoop(parts, { stage, library }) };
  }
  const loop = await chooseLoop(parts, stage, { state: before, ...request });
  const earlier = (await latestLoop(parts, stage))?.name;
  const decided = await decisionOf(parts, stage, { before, request, loop });
  if (request.decision?.choice === "stop" && !decided.loopWaits) {
    const change = { entries: decided.entries };
    return { kind: "stopped", state: await recordStage(parts, stage, () => change, request) };
  }
  const moved = assistantMove(stage, before, request);
  const review = checkStageQuestions(stage, packParts.questions);
  if (!request.skipQuestionReview) refuseWeakQuestions(review);
  const change = {
    files: planFiles(stage, makePlan(stage, review, request.analystModel)),
    entries: [...moved, ...decided.entries],
    openLoop: loop,
  };
  const decide = (now: StageState) => {
    refuseWhileCoding(now);
    return change;
  };
  const state = await recordStage(parts, stage, decide, request);
  const decisions = decisionLines(state.history);
  const started = await startLoopRun(
    { ...packParts, fileHints: stage.manifest.fileHints },
    loopRequest(stage, {
      ...{ ...request, loop, decides: decided.loopWaits, decisions },
      ...defined({ earlier }),
    }),
  );
  return { kind: "started", started };
}

/** Records what the loop's runs left; an accepted pack is saved first, through the same gate as any other. */
export async function recordLoop(
  parts: StageParts,
  about: { readonly stage: Stage; readonly library: string },
): Promise<StageState> {
  const { stage, library } = about;
  parts.crash.reach("stage-loop-over");
  return await recordStage(parts, stage, async (state) => {
    const loop = latest<LoopFinished>(state.history, "loop-finished");
    const isOpen =
      state.openLoop !== undefined && !(await isFinished(parts, stage, state.openLoop));
    const forget = isOpen ? {} : { openLoop: "none" };
    const isNew = state.endedLoops > 0;
    const { saveAutorunOnAccept } = stage.manifest;
    if (!isNew || loop === undefined || !saveAutorunOnAccept) return forget;
    if (!decideClosingGate(state.history, state.terms).acceptedGate) return forget;
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
  {
    state,
    fresh,
    choice = {},
  }: { readonly state: StageState } & Pick<StageRunRequest, "fresh" | "choice">,
): Promise<string> {
  const last = await latestLoop(parts, stage);
  const names = await parts.folders.names(`${stage.folder}/domain_loops`);
  const used = [last?.name ?? "", ...names].map((name) => Number(/^loop-(\d+)/.exec(name)?.[1]));
  const next = Math.max(0, ...used.filter((number) => number > 0)) + 1;
  const newLoop = `loop-${String(next).padStart(2, "0")}`;
  const { openLoop } = state;
  if (fresh) return newLoop;
  if (last === undefined || (openLoop !== undefined && openLoop !== last.name)) {
    return openLoop ?? newLoop;
  }
  if (!last.isOver) return openLoop === last.name ? last.name : newLoop;
  const played = state.history.findLast(
    (event) => event.kind === "loop-finished" && event.loopId.startsWith(`${last.name}/`),
  );
  const wasAccepted = played?.kind === "loop-finished" && played.accepted;
  const isPart = Object.keys(choice).length > 0;
  return wasAccepted || isPart || last.packHash !== stage.packHash ? newLoop : last.name;
}

/** The newest loop that the store knows. */
async function latestLoop({ store }: StageParts, { folder }: Stage) {
  const place = `${folder}/domain_loops`;
  const runs = await store.read(({ stages }) => stages.runsBelow("pack-loop", place));
  const run = runs.at(-1);
  const record = run === undefined ? undefined : await store.runs.load(run);
  if (record === undefined) return undefined;
  const input = readRunInput("pack-loop", record.job.input);
  const name = input.folder.split("/").at(-1) ?? "";
  const isWaiting = record.state === "waiting";
  return { name, packHash: input.specHash, isOver: isOver(record), isWaiting };
}

async function isFinished(parts: StageParts, stage: Stage, loop: string): Promise<boolean> {
  const last = await latestLoop(parts, stage);
  return last?.name === loop && last.isOver;
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
): Promise<{ readonly entries: readonly NewEntry[]; readonly loopWaits: boolean }> {
  const { before, request, loop } = about;
  const { decision } = request;
  if (decision === undefined) return { entries: [], loopWaits: false };
  if (decideNextAction(before.history, before.terms) !== "user_decision_required") {
    throw new ConfigurationError("Nothing is waiting for a decision.", {
      code: "nothing-to-decide",
      hint: `See ${stageCommand("status", { manifest: stage.manifestPath })}.`,
    });
  }
  const last = await latestLoop(parts, stage);
  const loopWaits = last?.name === loop && last.isWaiting;
  const finished = latest<LoopFinished>(before.history, "loop-finished");
  const asked = loopWaits
    ? finished?.replay?.decisionNeeded
    : (await latestExecution(parts, stage, before))?.decisionNeeded;
  const { choice, by, comment } = decision;
  const about_ = { by, choice, ...defined({ comment, question: asked }) };
  return { entries: [{ event: { kind: "decision-given", ...about_ } }], loopWaits };
}

/**
 * A replay at another address, or one that is asked or read in another way, proves nothing about the stage's assistant,
 * unless a person vouches for the change.
 */
function assistantMove(
  stage: Stage,
  { history }: StageState,
  { assistantUrl: url, assistantName: name, assistantSetup, assistantChanged }: StageRunRequest,
): readonly NewEntry[] {
  const known = assistantsOf(history);
  const to = { url, ...defined({ name }), setup: assistantSetup };
  if (known.ours === undefined || countsFor(known, to)) return [];
  if (assistantChanged === undefined) throw otherAssistant(stage, known.ours, to);
  return [{ event: { kind: "assistant-changed", to, ...assistantChanged } }];
}

function otherAssistant(stage: Stage, ours: StageAssistant, to: StageAssistant) {
  const { manifestPath: manifest, userModel } = stage;
  const isMoved = !isSameAssistant(ours, to);
  const moved = ` --assistant-url ${shellWord(to.url)} --assistant-changed`;
  const command = stageCommand("run", { manifest, ...defined({ userModel }) }, moved);
  const text = isMoved
    ? `This stage's assistant is ${assistantName(ours)}, not ${assistantName(to)}.`
    : "signoff.yaml has this stage's assistant asked or its answers read in another way than before.";
  return new ConfigurationError(text, {
    code: "assistant-changed",
    facts: { known: assistantName(ours), given: assistantName(to) },
    hint: isMoved
      ? `If it is the same in another place, say so: ${command}`
      : `Put scenarios.assistant and scenarios.mask back, or vouch for the change: ${command}`,
  });
}

function loopRequest(
  stage: Stage,
  request: StageRunRequest & {
    readonly loop: string;
    readonly decides: boolean;
    readonly decisions: readonly string[];
    /** The loop before it. */
    readonly earlier?: string;
  },
): LoopRequest {
  const { assistantUrl, assistantName, repairMode, maxIterations, coder, run } = request;
  const { analystModel, analysts, standIn, decisions, assistantChanged, decision } = request;
  return {
    folder: `${stage.folder}/domain_loops/${request.loop}`,
    assistantUrl,
    pack: stage.pack,
    repeat: request.repeat ?? 1,
    skipQuestionReview: true,
    analystModel,
    standIn,
    targetScore: stage.manifest.targetScore,
    maxIterations,
    repairMode,
    decisions,
    // Whether it may be another assistant than before is the stage's rule, and was decided.
    assistantChange: { reason: assistantChanged?.reason ?? "nothing was answered before" },
    ...defined({ analysts, coder, assistantName }),
    validationCommand: replayCommand(stage),
    ...defined({ contract: contractOf(stage) }),
    ...defined({ budget: request.budget, choice: request.choice }),
    ...defined({ maxQuestions: request.maxQuestions }),
    ...(request.earlier === undefined
      ? {}
      : { earlierFolder: `${stage.folder}/domain_loops/${request.earlier}` }),
    ...defined({
      run,
      sessions: request.sessions,
      decision: request.decides ? decision : undefined,
    }),
  };
}
