import { parseModelName } from "../../domain/models/model-name.ts";
import { isFree } from "../../domain/models/price.ts";
import type { QuestionReview } from "../../domain/scenarios/question-quality.ts";
import { countSteps } from "../../domain/scenarios/select-steps.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import {
  checkQuestions,
  type QuestionSettings,
  questionFiles,
} from "../scenarios/check-questions.ts";
import { type Recording, recordStage } from "./record-stage.ts";
import { replayCommand, type Stage, type StageParts, type StageState } from "./stage.ts";

/** What `run` would do, at most. */
export interface StagePlan {
  readonly loopCommand: string;
  readonly scenarios: number;
  readonly questions: number;
  readonly iterations: number;
  /** Questions to the assistant in one iteration, and in all of them. */
  readonly assistantCalls: { readonly one: number; readonly most: number };
  /** Most calls of the model that plays the simulated users; absent where there are none. */
  readonly userCalls?: { readonly one: number; readonly most: number };
  readonly analystCalls: { readonly one: number; readonly most: number };
  readonly analyst: string;
  /** Known only for analysts that cost nothing. */
  readonly microUsd?: number;
  readonly review: QuestionReview;
}

export interface StagePlanned {
  readonly plan: StagePlan;
  readonly state: StageState;
}

/** Reports and stores what `run` would do; makes no calls. */
export async function planStage(
  parts: StageParts,
  stage: Stage,
  {
    questions,
    analyst,
    seen,
  }: Recording & { readonly questions: QuestionSettings; readonly analyst: string },
): Promise<StagePlanned> {
  const plan = makePlan(stage, checkStageQuestions(stage, questions), analyst);
  const files = planFiles(stage, plan);
  return { plan, state: await recordStage(parts, stage, () => ({ files }), { seen }) };
}

export function planFiles(stage: Stage, plan: StagePlan): readonly RecordFile[] {
  return [...questionFiles(plan.review, stage.pack), commandFile(stage, plan)];
}

/** The pre-flight alone. */
export async function reviewQuestionsOf(
  parts: StageParts,
  stage: Stage,
  settings: QuestionSettings,
): Promise<QuestionReview> {
  const review = checkStageQuestions(stage, settings);
  await recordStage(parts, stage, () => ({ files: questionFiles(review, stage.pack) }));
  return review;
}

export function checkStageQuestions(stage: Stage, settings: QuestionSettings): QuestionReview {
  return checkQuestions(stage.pack, `${stage.folder}/domain_loops/loop-01/iterations/01`, settings);
}

export function makePlan(stage: Stage, review: QuestionReview, analyst: string): StagePlan {
  const { scenarios } = stage.pack;
  const questions = countSteps(stage.pack);
  // Each turn, and the verdict after the last one.
  const turns = scenarios.reduce((sum, { user }) => sum + (user ? user.maxTurns + 1 : 0), 0);
  const iterations = stage.manifest.repairMode === "auto-coder" ? stage.manifest.maxIterations : 1;
  return {
    loopCommand: replayCommand(stage),
    scenarios: scenarios.length,
    questions,
    iterations,
    assistantCalls: { one: questions, most: questions * iterations },
    ...(turns > 0 && { userCalls: { one: turns, most: turns * iterations } }),
    // A verdict that cannot be read is asked for once more.
    analystCalls: { one: 1, most: 2 * iterations },
    analyst,
    ...(isFree(parseModelName(analyst)) ? { microUsd: 0 } : {}),
    review,
  };
}

/** `domain_pack_loop.command.txt`: one command to paste, and before it what it would cost. */
function commandFile(stage: Stage, plan: StagePlan): RecordFile {
  const { assistantCalls, userCalls, analystCalls, microUsd } = plan;
  const lines = [
    `# ${stage.manifest.stageId}: scenarios ${plan.scenarios}, questions ${plan.questions}, rated ${plan.review.rating}`,
    `# calls to the assistant: ${assistantCalls.one} per iteration, at most ${assistantCalls.most} in this run`,
    ...(userCalls === undefined
      ? []
      : [`# calls to the model of the simulated users: at most ${userCalls.most} in this run`]),
    `# calls to ${plan.analyst}: ${analystCalls.one} to ${analystCalls.most}; cost: ${microUsd === undefined ? "unknown" : "nothing"}`,
    plan.loopCommand,
  ];
  return { name: "domain_pack_loop.command.txt", content: `${lines.join("\n")}\n` };
}
