import { defined } from "../values/defined.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import type { SimulatedUser, Step } from "./manifest.ts";
import type { StepRecord } from "./run-record.ts";
import {
  advanceProgress,
  planStep,
  recordStep,
  type ScenarioProgress,
} from "./scenario-progress.ts";
import type { SaidAndAnswered, UserMove } from "./simulated-user.ts";
import { judgeStep, type StepExecution } from "./step-status.ts";
import type { AssistantOutcome } from "./turn.ts";

/** How answers are judged. */
export interface JudgingRules {
  readonly rules: CheckRules;
  readonly matches: Matches;
  /** Whether a pattern that holds what the assistant said can be run. */
  readonly isUsable: (pattern: string) => boolean;
}

/** A question to be answered, what a simulated user does next, or a step that was judged. */
export type ChainMove =
  | {
      readonly kind: "ask";
      readonly step: Step;
      readonly progress: ScenarioProgress;
      /** How many steps just before this one asked the very same. */
      readonly repeated: number;
    }
  | {
      readonly kind: "speak";
      /** With its placeholders resolved. */
      readonly user: SimulatedUser;
      /** From 1; one above the user's limit where the user can only end the dialogue. */
      readonly turn: number;
      readonly talk: readonly SaidAndAnswered[];
      /** How many exchanges of the talk came before the dialogue. */
      readonly before: number;
    }
  | {
      readonly kind: "judged";
      readonly record: StepRecord;
      /** From 1. */
      readonly stepIndex: number;
      readonly wasAsked: boolean;
    };

/** What became of a question, or what the user does; nothing for a judged step, or where nothing is recorded. */
export type ChainReply = AssistantOutcome | UserMove | undefined;

/** A chain while it is played. */
export interface Playing {
  readonly steps: StepRecord[];
  readonly versions: Set<string>;
  progress: ScenarioProgress;
}

/** One question; `said` is what a simulated user asks in place of the step's own, word for word. */
export function* playStep(
  playing: Playing,
  step: Step,
  how: JudgingRules,
  said?: string,
): Generator<ChainMove, StepExecution, ChainReply> {
  const { steps, versions, progress } = playing;
  const planned = planStep(step, progress, how.isUsable);
  const asked =
    planned.kind === "ask" ? { ...planned.step, ...defined({ question: said }) } : undefined;
  let execution: StepExecution;
  if (planned.kind === "ask" && asked !== undefined) {
    const repeated = repeatedBefore(steps, asked.question);
    const reply = yield { kind: "ask", step: asked, progress, repeated };
    const { reference } = planned;
    execution = {
      ...((reply as AssistantOutcome | undefined) ?? unanswered),
      ...defined({ reference }),
    };
  } else {
    execution = planned as Exclude<typeof planned, { kind: "ask" }>;
  }
  const judgement = judgeStep(asked ?? step, execution, how);
  const record = recordStep(step, asked, { execution, judgement });
  const spoken = said === undefined ? {} : { questionTemplate: said, dialogue: "turn" as const };
  yield* addStep(playing, { ...record, ...spoken }, asked !== undefined);
  playing.progress = advanceProgress(progress, asked ?? step, execution);
  const { version } = execution.kind === "answered" ? execution.answer : {};
  if (version !== undefined) versions.add(version);
  return execution;
}

export function* addStep(
  { steps }: Playing,
  record: StepRecord,
  wasAsked: boolean,
): Generator<ChainMove, void, ChainReply> {
  steps.push(record);
  yield { kind: "judged", record, stepIndex: steps.length, wasAsked };
}

const unanswered: AssistantOutcome = {
  kind: "failed",
  failure: { kind: "missing_answer", message: "no answer is recorded", accepted: false },
};

/** How many steps in a row, up to now, asked the very same. */
function repeatedBefore(steps: readonly StepRecord[], question: string): number {
  const asked = steps.filter(({ questionResolved }) => questionResolved !== undefined);
  const other = asked.findLastIndex(({ questionResolved }) => questionResolved !== question);
  return asked.length - 1 - other;
}
