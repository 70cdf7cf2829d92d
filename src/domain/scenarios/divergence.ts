import type { AssistantChange } from "./assistant-identity.ts";
import { foldText } from "./folded-text.ts";
import {
  countedSteps,
  type PackRecord,
  type ScenarioRecord,
  type StepRecord,
} from "./run-record.ts";
import { STATUSES, type Status } from "./step-status.ts";

/** A step whose status differs. */
export interface StepChange {
  readonly scenarioId: string;
  readonly stepId: string;
  readonly before: Status;
  readonly after: Status;
}

/** Where two runs of a scenario diverge, and what follows from it. */
export interface ScenarioDivergence {
  readonly scenarioId: string;
  /** The first step whose question, answer, reply type or status differs. */
  readonly firstStep: string;
  readonly differs: readonly ("question" | "answer" | "reply_type" | "status")[];
  /** Later steps that differ too and depend on the first, directly or through others. */
  readonly consequences: readonly string[];
  /** Later steps that differ on their own. */
  readonly independent: readonly string[];
}

/** Two runs of one pack side by side; ids of steps are `scenario/step`. */
export interface RunComparison {
  readonly divergences: readonly ScenarioDivergence[];
  readonly better: readonly StepChange[];
  readonly worse: readonly StepChange[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** The runs are of two assistants, and why they are compared all the same. */
  readonly assistantChanged?: AssistantChange;
}

/** Where two runs diverge, what follows from it, and what got better or worse. */
export function compareRuns(before: PackRecord, after: PackRecord): RunComparison {
  const left = stepsByPlace(before);
  const right = stepsByPlace(after);
  const changes = [...left].flatMap(([place, { scenarioId, step }]) => {
    const { stepId, status } = step;
    const now = right.get(place)?.step.status ?? status;
    return now === status ? [] : [{ scenarioId, stepId, before: status, after: now }];
  });
  return {
    divergences: before.scenarios.flatMap((scenario) => {
      const other = after.scenarios.find((one) => one.scenarioId === scenario.scenarioId);
      const divergence = other === undefined ? undefined : divergenceOf(scenario, other);
      return divergence === undefined ? [] : [divergence];
    }),
    better: changes.filter((change) => rank(change.after) < rank(change.before)),
    worse: changes.filter((change) => rank(change.after) > rank(change.before)),
    onlyBefore: [...left.keys()].filter((place) => !right.has(place)),
    onlyAfter: [...right.keys()].filter((place) => !left.has(place)),
  };
}

/** A regression is a counted step that was accepted and no longer is. */
export function hasRegression(before: PackRecord, after: PackRecord): boolean {
  const accepted = new Set(
    countedSteps(before)
      .filter(({ step }) => step.status === "accepted")
      .map(({ scenario, step }) => `${scenario.scenarioId}/${step.stepId}`),
  );
  return countedSteps(after).some(
    ({ scenario, step }) =>
      step.status !== "accepted" && accepted.has(`${scenario.scenarioId}/${step.stepId}`),
  );
}

function divergenceOf(
  before: ScenarioRecord,
  after: ScenarioRecord,
): ScenarioDivergence | undefined {
  const differing = before.steps.flatMap((step) => {
    const other = after.steps.find((one) => one.stepId === step.stepId);
    const differs = other === undefined ? [] : differencesOf(step, other);
    return differs.length === 0 ? [] : [{ step, differs }];
  });
  const first = differing[0];
  if (first === undefined) return undefined;
  const reached = dependentsOf(first.step.stepId, before.steps);
  const later = differing.slice(1).map(({ step }) => step.stepId);
  return {
    scenarioId: before.scenarioId,
    firstStep: first.step.stepId,
    differs: first.differs,
    consequences: later.filter((stepId) => reached.has(stepId)),
    independent: later.filter((stepId) => !reached.has(stepId)),
  };
}

function differencesOf(left: StepRecord, right: StepRecord): ScenarioDivergence["differs"] {
  const asked = (step: StepRecord) => foldText(step.questionResolved ?? step.questionTemplate);
  return [
    ...(asked(left) === asked(right) ? [] : ["question" as const]),
    ...(foldText(left.answerText) === foldText(right.answerText) ? [] : ["answer" as const]),
    ...(left.replyType === right.replyType ? [] : ["reply_type" as const]),
    ...(left.status === right.status ? [] : ["status" as const]),
  ];
}

function dependentsOf(origin: string, steps: readonly StepRecord[]): ReadonlySet<string> {
  const reached = new Set([origin]);
  for (const [index, step] of steps.entries()) {
    if (directSources(step, steps[index - 1]).some((source) => reached.has(source))) {
      reached.add(step.stepId);
    }
  }
  return reached;
}

/** The earlier steps that one depends on, directly or through others. */
export function dependenciesOf(stepId: string, steps: readonly StepRecord[]): ReadonlySet<string> {
  const found = new Set<string>();
  const from = steps.findIndex((step) => step.stepId === stepId);
  for (let at = from; at >= 0; at -= 1) {
    const step = steps[at];
    if (step === undefined || (at !== from && !found.has(step.stepId))) continue;
    for (const source of directSources(step, steps[at - 1])) found.add(source);
  }
  return found;
}

/** A step without a declared dependency carries its scope over from the one before it. */
function directSources(step: StepRecord, before: StepRecord | undefined): readonly string[] {
  const carries = step.carryoverInvariants.length > 0 && step.dependsOn.length === 0;
  return [
    ...step.dependsOn,
    ...step.placeholderRoots.filter((root) => root !== "bindings"),
    ...(carries && before !== undefined ? [before.stepId] : []),
  ];
}

function stepsByPlace(pack: PackRecord) {
  return new Map(
    pack.scenarios.flatMap(({ scenarioId, steps }) =>
      steps.map((step) => [`${scenarioId}/${step.stepId}`, { scenarioId, step }] as const),
    ),
  );
}

function rank(status: Status): number {
  return STATUSES.indexOf(status);
}
