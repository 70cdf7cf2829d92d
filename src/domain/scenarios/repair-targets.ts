import { defined } from "../values/defined.ts";
import { dependenciesOf } from "./divergence.ts";
import { compareSeverity, type Finding, type Invariant } from "./finding.ts";
import { excerpt, foldText } from "./folded-text.ts";
import type { ProblemSeverity } from "./manifest.ts";
import type { PackRecord, ScenarioRecord, StepRecord } from "./run-record.ts";

export interface TargetOccurrence {
  readonly scenarioId: string;
  readonly stepId: string;
}

/** One thing to repair, with what is needed to start without reading the transcript. */
export interface RepairTarget {
  readonly targetId: string;
  readonly severity: ProblemSeverity;
  readonly problemType: string;
  readonly question: string;
  readonly visibleAnswer: string;
  readonly expectation: string;
  readonly evidence: string;
  readonly fixGoal: string;
  readonly candidateFiles: readonly string[];
  readonly occurrences: readonly TargetOccurrence[];
  /** Where in the run it was seen, from 0: conversations in the order of the pack. */
  readonly position?: number;
  /** The earlier step whose failure this one follows from; absent where it is the first of its chain. */
  readonly follows?: TargetOccurrence;
  /** The turns before it that reproduce it. */
  readonly before?: readonly Turn[];
}

interface Turn {
  readonly question: string;
  readonly answer: string;
}

/** Problem type to the files where such a problem is usually repaired. */
export type FileHints = { readonly [problemType: string]: readonly string[] };

const PROBLEM_TYPES = {
  transport: ["runtime_transport_gap", "Answer the question over the API without an error."],
  placeholder: ["missing_observation_gap", "Return the value that the later question needs."],
  dependency: ["missing_observation_gap", "Answer the earlier question first."],
  direct_answer_first: ["direct_answer_gap", "Put the answer itself on line 1."],
  required_answer_content: ["answer_content_gap", "Say what the question asks for."],
  forbidden_answer_content: ["answer_content_gap", "Leave out what must not be said."],
  field_truth: ["field_truth_gap", "Use the value the question names."],
  temporal_honesty: [
    "temporal_honesty_gap",
    "Answer for the date that was asked, or say that it is another.",
  ],
  edge_carryover: ["edge_carryover_gap", "Keep the object and filters of the earlier answer."],
  carryover_unobserved: [
    "edge_carryover_gap",
    "Show which object and filters the answer is about.",
  ],
  technical_garbage_first_line: [
    "technical_garbage_gap",
    "Keep internals out of the visible answer.",
  ],
  technical_garbage: ["technical_garbage_gap", "Keep internals out of the visible answer."],
  top_level_noise: ["answer_noise_gap", "Begin with the answer, not with talk."],
  over_broad_answer: ["answer_noise_gap", "Answer only what was asked."],
  answer_layering: ["answer_layering_gap", "Answer first, evidence after it."],
  answer_shape: ["answer_shape_gap", "Give the answer in the declared shape."],
  reply_type: ["answer_shape_gap", "Answer with an allowed reply type."],
  heuristic_result: ["evidence_gap", "Confirm the result instead of guessing it."],
  capability: ["exact_capability_gap", "Route the question to the exact capability."],
  fallback: ["exact_capability_gap", "Answer without a fallback."],
  intent: ["followup_action_resolution_gap", "Recognise what the question wants."],
  recipe: ["followup_action_resolution_gap", "Choose the expected way to the answer."],
  result_mode: ["evidence_gap", "Give the result in the expected mode."],
  debug_field: ["technical_field_gap", "Report the expected technical field."],
  tool_call: ["tool_call_gap", "Use the expected tool with the expected arguments, and no other."],
  slow_answer: ["latency_gap", "Answer within the allowed time."],
  object_memory: ["object_memory_gap", "Keep the object in the session's state."],
  goal_reached: ["goal_gap", "Lead the user to the goal within the allowed turns."],
  style: ["style_gap", "Shorten line 1."],
} as const satisfies { readonly [invariant in Invariant]: readonly [string, string] };

export function problemTypeOf(invariant: Invariant): string {
  return PROBLEM_TYPES[invariant][0];
}

export function hintedFiles(hints: FileHints, problemType: string): readonly string[] {
  return Object.hasOwn(hints, problemType) ? (hints[problemType] ?? []) : [];
}

/** All findings of a run as one backlog: the same problem of the same question once, worst first. */
export function collectRepairTargets(pack: PackRecord, hints: FileHints): readonly RepairTarget[] {
  const asked = new Map<string, number>();
  for (const { steps } of pack.scenarios) {
    for (const step of steps) asked.set(wordingOf(step), (asked.get(wordingOf(step)) ?? 0) + 1);
  }
  const isTwice = (step: StepRecord) => (asked.get(wordingOf(step)) ?? 0) > 1;
  let position = -1;
  return mergeTargets(
    pack.scenarios.flatMap((scenario) => {
      const chainAt = createChains(scenario);
      return scenario.steps.flatMap((step, at) => {
        position += 1;
        if (step.findings.length === 0) return [];
        const { scenarioId } = scenario;
        const place = isTwice(step) ? `@${scenarioId}/${step.stepId}` : "";
        const about = { scenarioId, place, position, ...chainAt(step, at) };
        return step.findings.map((finding) => makeTarget(step, finding, hints, about));
      });
    }),
  );
}

function wordingOf(step: StepRecord): string {
  return foldText(step.questionResolved ?? step.questionTemplate);
}

/** How many earlier turns are shown: enough to reproduce, few enough to read. */
const MOST_TURNS = 10;

/** What a failure follows from, or else the turns that lead to it; targets share the turns they have in common. */
function createChains({ scenarioId, steps }: ScenarioRecord) {
  const turns = new Map<StepRecord, Turn>();
  const turnOf = (step: StepRecord): Turn => {
    const turn = turns.get(step) ?? {
      question: excerpt(step.questionResolved ?? step.questionTemplate, 200),
      answer: excerpt(step.answerText, 200),
    };
    turns.set(step, turn);
    return turn;
  };
  return (step: StepRecord, at: number): Pick<RepairTarget, "follows" | "before"> => {
    const needed = dependenciesOf(step.stepId, steps);
    const before = steps.slice(0, at);
    const cause = before.find((one) => needed.has(one.stepId) && one.findings.some(isOpen));
    if (cause !== undefined) return { follows: { scenarioId, stepId: cause.stepId } };
    const leading = before.filter(
      ({ execution, stepId }) =>
        execution === "answered" && (needed.size === 0 || needed.has(stepId)),
    );
    return leading.length === 0 ? {} : { before: leading.slice(-MOST_TURNS).map(turnOf) };
  };
}

function isOpen({ severity }: Finding): boolean {
  return severity !== "P2";
}

/**
 * How many targets are open, counted as they are listed: two checks that object to the same thing in the same
 * question are one repair, in every number that a person may compare with the list.
 */
export function countOpen(targets: readonly Pick<RepairTarget, "severity">[]): {
  readonly P0: number;
  readonly P1: number;
} {
  const count = (wanted: ProblemSeverity) =>
    targets.filter(({ severity }) => severity === wanted).length;
  return { P0: count("P0"), P1: count("P1") };
}

/**
 * Two lists as one; the worse severity of the same problem wins and every place is kept. What an analyst says about a
 * question that the checks object to for the same reason is no further target.
 */
export function mergeTargets(targets: readonly RepairTarget[]): readonly RepairTarget[] {
  const merged = new Map<string, RepairTarget>();
  for (const target of targets) {
    const known = target.occurrences.length === 0 ? placedTarget(merged, target) : undefined;
    addTarget(merged, known === undefined ? target : { ...known, severity: target.severity });
  }
  return [...merged.values()].sort(worstFirst);
}

function placedTarget(
  targets: ReadonlyMap<string, RepairTarget>,
  { problemType, question }: RepairTarget,
): RepairTarget | undefined {
  const id = targetIdOf(problemType, question);
  const isSame = (one: RepairTarget) =>
    one.occurrences.length > 0 && targetIdOf(one.problemType, one.question) === id;
  return [...targets.values()].find(isSame);
}

function makeTarget(
  step: StepRecord,
  finding: Finding,
  hints: FileHints,
  about: Pick<RepairTarget, "follows" | "before"> & {
    readonly scenarioId: string;
    /** Told apart from the same wording in another place; empty where there is none. */
    readonly place: string;
    readonly position: number;
  },
): RepairTarget {
  const { scenarioId, place, position, follows, before } = about;
  const [problemType, fixGoal] = PROBLEM_TYPES[finding.invariant];
  const question = step.questionResolved ?? step.questionTemplate;
  return {
    targetId: `${targetIdOf(problemType, question)}${place}`,
    severity: step.criticality === "info" ? "P2" : finding.severity,
    problemType,
    question,
    visibleAnswer: excerpt(step.answerText, 600),
    expectation: finding.expectation,
    evidence: finding.evidence,
    fixGoal,
    candidateFiles: hintedFiles(hints, problemType),
    occurrences: [{ scenarioId, stepId: step.stepId }],
    position,
    ...defined({ follows, before }),
  };
}

/** Stable between runs, so that a repair can be followed from one to the next. */
export function targetIdOf(problemType: string, question: string): string {
  return `${problemType}:${foldText(question).replaceAll(" ", "-")}`;
}

function addTarget(targets: Map<string, RepairTarget>, target: RepairTarget): void {
  const known = targets.get(target.targetId);
  if (known === undefined) {
    targets.set(target.targetId, target);
    return;
  }
  const worst = compareSeverity(target.severity, known.severity) < 0 ? target : known;
  const places = [...known.occurrences, ...target.occurrences];
  const occurrences = places.filter(
    (place, index) =>
      places.findIndex(
        (one) => one.scenarioId === place.scenarioId && one.stepId === place.stepId,
      ) === index,
  );
  const both = (part: "expectation" | "evidence" | "fixGoal"): string => {
    const other = worst === target ? known : target;
    const joint = part === "fixGoal" ? " " : "; ";
    return worst[part].includes(other[part]) ? worst[part] : worst[part] + joint + other[part];
  };
  targets.set(target.targetId, {
    ...worst,
    ...{ expectation: both("expectation"), evidence: both("evidence"), fixGoal: both("fixGoal") },
    occurrences,
  });
}

function worstFirst(left: RepairTarget, right: RepairTarget): number {
  return (
    compareSeverity(left.severity, right.severity) ||
    right.occurrences.length - left.occurrences.length ||
    (left.targetId < right.targetId ? -1 : 1)
  );
}
