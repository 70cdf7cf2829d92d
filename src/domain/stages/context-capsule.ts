import type { QuestionRating } from "../scenarios/question-quality.ts";
import { defined } from "../values/defined.ts";
import { type ClosingStatus, decideClosingGate, type StageTerms } from "./closing-gate.ts";
import { decideNextAction, NEXT_ACTIONS, type NextAction } from "./next-action.ts";
import type { StageHistory } from "./stage-history.ts";
import type { StageManifest } from "./stage-manifest.ts";

/** The state of a stage for a person who has not seen it before. */
export interface ContextCapsule
  extends Pick<
    StageManifest,
    "stageId" | "moduleName" | "globalStage" | "localStage" | "targetScore" | "repairMode"
  > {
  readonly questionRating?: QuestionRating;
  readonly closingStatus: ClosingStatus;
  readonly closingReasons: readonly string[];
  readonly nextAction: NextAction;
  readonly operatingModel: readonly string[];
}

interface StageFacts {
  readonly history: StageHistory;
  readonly terms?: StageTerms;
  readonly questionRating?: QuestionRating | undefined;
}

export function describeStage(
  manifest: StageManifest,
  { history, terms = {}, questionRating }: StageFacts,
): ContextCapsule {
  const gate = decideClosingGate(history, terms);
  const nextAction = decideNextAction(history, terms);
  return {
    stageId: manifest.stageId,
    moduleName: manifest.moduleName,
    globalStage: manifest.globalStage,
    localStage: manifest.localStage,
    targetScore: manifest.targetScore,
    repairMode: manifest.repairMode,
    ...defined({ questionRating }),
    closingStatus: gate.status,
    closingReasons: gate.reasons,
    nextAction,
    operatingModel: [
      "The visible answer is judged before any technical field.",
      "A patch counts only after a replay of the same pack or a run that asks its questions, begun after the coder ended.",
      NEXT_ACTIONS[nextAction],
    ],
  };
}
