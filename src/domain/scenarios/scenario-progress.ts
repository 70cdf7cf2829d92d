import { defined } from "../values/defined.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { isChained } from "./chained-steps.ts";
import { extractEntries } from "./entries.ts";
import { firstLine } from "./folded-text.ts";
import type { Step } from "./manifest.ts";
import { type PlaceholderProblem, resolveStep, rootsOf } from "./placeholder.ts";
import type { StepRecord } from "./run-record.ts";
import type { StepExecution, StepJudgement } from "./step-status.ts";
import type { AnsweredStep } from "./technical-checks.ts";
import type { AssistantAnswer, ConversationItem, TransportFailure } from "./turn.ts";

/** What a running scenario knows: enough to decide the next step and to judge it. */
export interface ScenarioProgress {
  readonly bindings: JsonObject;
  readonly sessionId?: string;
  readonly semanticMemory: Json;
  /** What placeholders see of each answered step. */
  readonly states: ReadonlyMap<string, Json>;
  readonly answered: readonly AnsweredStep[];
  readonly unanswered: ReadonlySet<string>;
}

export type PlannedStep =
  | { readonly kind: "ask"; readonly step: Step; readonly reference?: AnsweredStep }
  | { readonly kind: "failed"; readonly failure: TransportFailure }
  | { readonly kind: "unresolved"; readonly problem: PlaceholderProblem }
  | { readonly kind: "skipped"; readonly because: string };

export function startProgress(bindings: JsonObject): ScenarioProgress {
  return { bindings, semanticMemory: {}, states: new Map(), answered: [], unanswered: new Set() };
}

/** What was said so far, for an assistant that is sent the whole conversation. */
export function historyOf({ states }: ScenarioProgress): readonly SaidItem[] {
  return [...states.values()].flatMap((state) => {
    const { question, assistant_text: text } = state as { readonly [name: string]: string };
    return [
      { role: "user" as const, text: question ?? "" },
      { role: "assistant" as const, text: text ?? "" },
    ];
  });
}

type SaidItem = Pick<ConversationItem, "role" | "text">;

/**
 * A step whose dependency has no answer is not asked; neither is one with a placeholder that has no value, nor one that
 * needs a conversation where the assistant keeps none.
 */
export function planStep(
  step: Step,
  progress: ScenarioProgress,
  isUsable: (pattern: string) => boolean,
): PlannedStep {
  const missing = step.dependsOn.find((id) => !progress.states.has(id));
  if (missing !== undefined) return { kind: "skipped", because: missing };
  const { bindings, semanticMemory, states, unanswered } = progress;
  const scope = { bindings, semanticMemory, steps: states, unanswered };
  const resolved = resolveStep(step, scope, isUsable);
  if (resolved.kind === "unresolved") return { kind: "unresolved", problem: resolved.problem };
  if (progress.answered.length > 0 && progress.sessionId === undefined && isChained(step)) {
    return { kind: "failed", failure: noSession };
  }
  const reference = referenceOf(step, progress.answered);
  return { kind: "ask", step: resolved.value, ...defined({ reference }) };
}

const noSession: TransportFailure = {
  kind: "no_session",
  message: "earlier answers named no session, so each question stands alone",
  accepted: false,
};

export function advanceProgress(
  progress: ScenarioProgress,
  step: Step,
  execution: StepExecution,
): ScenarioProgress {
  if (execution.kind !== "answered") {
    return { ...progress, unanswered: new Set([...progress.unanswered, step.stepId]) };
  }
  const { answer } = execution;
  const { debug, semanticMemory } = answer;
  const remembers = isObject(semanticMemory) && Object.keys(semanticMemory).length > 0;
  return {
    ...progress,
    ...defined({ sessionId: answer.sessionId }),
    semanticMemory: remembers ? semanticMemory : progress.semanticMemory,
    states: new Map([...progress.states, [step.stepId, stateOf(step, answer)]]),
    answered: [...progress.answered, { stepId: step.stepId, debug, semanticMemory }],
  };
}

/** The judged step as it is kept; `template` is the step as written, `asked` as it was sent. */
export function recordStep(
  template: Step,
  asked: Step | undefined,
  outcome: { readonly execution: StepExecution; readonly judgement: StepJudgement },
): StepRecord {
  const { execution, judgement } = outcome;
  const answer = execution.kind === "answered" ? execution.answer : undefined;
  return {
    stepId: template.stepId,
    title: template.title,
    criticality: template.criticality,
    dependsOn: template.dependsOn,
    placeholderRoots: [...rootsOf(template)],
    carryoverInvariants: template.expectations.requiredCarryoverInvariants,
    questionTemplate: template.question,
    execution: execution.kind,
    answerText: answer?.text ?? "",
    ...(execution.kind === "answered" ? defined({ latencyMs: execution.latencyMs }) : {}),
    status: judgement.status,
    findings: judgement.findings,
    ...defined({ unobserved: judgement.unobserved }),
    ...(asked === undefined ? {} : { questionResolved: asked.question }),
    ...(answer?.replyType === undefined ? {} : { replyType: answer.replyType }),
  };
}

/** The last declared dependency, else the step before. */
function referenceOf(step: Step, answered: readonly AnsweredStep[]): AnsweredStep | undefined {
  const declared = answered.findLast((one) => step.dependsOn.includes(one.stepId));
  return declared ?? answered.at(-1);
}

function stateOf(step: Step, answer: AssistantAnswer): Json {
  const { entries } = extractEntries(answer.entries, answer.text);
  return {
    question: step.question,
    assistant_text: answer.text,
    direct_answer: firstLine(answer.text),
    reply_type: answer.replyType ?? null,
    entries,
    debug: answer.debug,
  };
}
