import { blocksAcceptance } from "../scenarios/finding.ts";
import type { RepairMode } from "../scenarios/pack-loop.ts";
import type { QuestionRating } from "../scenarios/question-quality.ts";
import { type FileHints, mergeTargets, type RepairTarget } from "../scenarios/repair-targets.ts";
import { defined } from "../values/defined.ts";
import { type ClosingStatus, decideClosingGate } from "./closing-gate.ts";
import { decideNextAction, NEXT_ACTIONS, type NextAction } from "./next-action.ts";
import type { StageHistory } from "./stage-history.ts";
import type { StageManifest, StageText } from "./stage-manifest.ts";

/** Enough to start the repair: targets, what users saw, where to look, how it is proven. */
export interface HandOff {
  readonly title: string;
  /** Why the run was not accepted. */
  readonly reasons: readonly string[];
  readonly targets: readonly RepairTarget[];
  readonly sampleFailures: readonly {
    readonly question: string;
    readonly visibleAnswer: string;
    readonly expectation: string;
  }[];
  readonly candidateFiles: readonly string[];
  readonly validationCommand: string;
}

/** Where a stage stands, for someone who opens it cold. */
export interface ContextCapsule {
  readonly stageId: string;
  readonly moduleName: string;
  readonly globalStage: StageText;
  readonly localStage: StageText;
  readonly targetScore: number;
  readonly repairMode: RepairMode;
  readonly questionRating?: QuestionRating;
  readonly closingStatus: ClosingStatus;
  readonly closingReasons: readonly string[];
  readonly nextAction: NextAction;
  readonly operatingModel: readonly string[];
}

const SAMPLES = 5;

export function handOver(
  targets: readonly RepairTarget[],
  about: {
    readonly title: string;
    readonly reasons: readonly string[];
    readonly hints: FileHints;
    readonly validationCommand: string;
  },
): HandOff {
  const open = mergeTargets(targets).filter(blocksAcceptance);
  const hinted = open.flatMap(({ problemType, candidateFiles }) => [
    ...candidateFiles,
    ...(Object.hasOwn(about.hints, problemType) ? (about.hints[problemType] ?? []) : []),
  ]);
  return {
    title: about.title,
    reasons: about.reasons,
    targets: open,
    sampleFailures: open.slice(0, SAMPLES).map(({ question, visibleAnswer, expectation }) => ({
      question,
      visibleAnswer,
      expectation,
    })),
    candidateFiles: [...new Set(hinted)],
    validationCommand: about.validationCommand,
  };
}

export function describeStage(
  manifest: StageManifest,
  history: StageHistory,
  questionRating?: QuestionRating,
): ContextCapsule {
  const gate = decideClosingGate(history);
  const nextAction = decideNextAction(history);
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
      "A patch counts only after a replay of the same pack or a run that asks its questions.",
      NEXT_ACTIONS[nextAction],
    ],
  };
}
