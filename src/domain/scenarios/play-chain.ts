import { defined } from "../values/defined.ts";
import type { CheckRules, Matches } from "./check-rules.ts";
import type { Scenario, Step } from "./manifest.ts";
import type { ScenarioRecord, StepRecord } from "./run-record.ts";
import {
  advanceProgress,
  planStep,
  recordStep,
  type ScenarioProgress,
  startProgress,
} from "./scenario-progress.ts";
import { judgeStep, type StepExecution } from "./step-status.ts";
import type { AssistantOutcome } from "./turn.ts";

/** How answers are judged. */
export interface JudgingRules {
  readonly rules: CheckRules;
  readonly matches: Matches;
  /** Whether a pattern that holds what the assistant said can be run. */
  readonly isUsable: (pattern: string) => boolean;
}

/** A question to be answered, or a step that was judged. */
export type ChainMove =
  | {
      readonly kind: "ask";
      readonly step: Step;
      readonly progress: ScenarioProgress;
      /** How many steps just before this one asked the very same. */
      readonly repeated: number;
    }
  | {
      readonly kind: "judged";
      readonly record: StepRecord;
      /** From 1. */
      readonly stepIndex: number;
      readonly wasAsked: boolean;
    };

export interface PlayedChain {
  readonly steps: readonly StepRecord[];
  readonly progress: ScenarioProgress;
  /** Versions of the assistant that its answers showed. */
  readonly versions: readonly string[];
}

/** What a played chain leaves of its conversation. */
export function conversationOf(
  { scenarioId, domain, title }: Scenario,
  { steps, progress, versions }: PlayedChain,
): ScenarioRecord {
  const { sessionId } = progress;
  const assistantVersions = versions.length === 0 ? undefined : versions;
  return { scenarioId, domain, title, ...defined({ sessionId, assistantVersions }), steps };
}

/**
 * One chain of questions: takes the outcome of each question it yields, and nothing for a judged step. A live run and
 * the derivation from recorded answers both go through here, so that they cannot judge differently.
 */
export function* playChain(
  scenario: Scenario,
  how: JudgingRules,
): Generator<ChainMove, PlayedChain, AssistantOutcome | undefined> {
  const steps: StepRecord[] = [];
  const versions = new Set<string>();
  let progress = startProgress(scenario.bindings);
  for (const [index, step] of scenario.steps.entries()) {
    const planned = planStep(step, progress, how.isUsable);
    const asked = planned.kind === "ask" ? planned.step : undefined;
    let execution: StepExecution;
    if (planned.kind === "ask") {
      const repeated = repeatedBefore(steps, planned.step.question);
      const outcome = yield { kind: "ask", step: planned.step, progress, repeated };
      const { reference } = planned;
      execution = { ...(outcome ?? unanswered), ...defined({ reference }) };
    } else {
      execution = planned;
    }
    const judgement = judgeStep(asked ?? step, execution, how);
    const record = recordStep(step, asked, { execution, judgement });
    steps.push(record);
    yield { kind: "judged", record, stepIndex: index + 1, wasAsked: asked !== undefined };
    progress = advanceProgress(progress, step, execution);
    const { version } = execution.kind === "answered" ? execution.answer : {};
    if (version !== undefined) versions.add(version);
  }
  return { steps, progress, versions: [...versions] };
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
