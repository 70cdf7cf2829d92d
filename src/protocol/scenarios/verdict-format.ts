import { z } from "zod";
import type {
  AnalystVerdict,
  PriorityTarget,
  VerdictReading,
} from "../../domain/scenarios/verdict.ts";
import { LOOP_DECISIONS, USER_DECISION_TYPES } from "../../domain/scenarios/verdict.ts";
import { findJson, type JsonObject } from "../drafting/json-reply.ts";

export const VERDICT_FORMAT_VERSION = "analyst-verdict-1";

const score = z.int().min(0).max(100);
const words = z.array(z.string());

/** The analyst's reply as it is asked for: all 31 fields. Reading is more generous, but not for the gate. */
export const verdictShape = z.strictObject({
  summary: z.string(),
  user_intent_summary: z.string(),
  expected_direct_answer: z.string(),
  actual_direct_answer: z.string().nullable(),
  quality_score: score,
  business_utility_score: score,
  direct_answer_priority_score: score,
  state_continuity_score: score,
  answer_shape_score: score,
  evidence_clarity_score: score,
  direct_answer_ok: z.boolean(),
  business_usefulness_ok: z.boolean(),
  focus_object_continuity_ok: z.boolean(),
  bundle_reuse_ok: z.boolean(),
  followup_action_resolution_ok: z.boolean(),
  temporal_honesty_ok: z.boolean(),
  field_truth_ok: z.boolean(),
  answer_layering_ok: z.boolean(),
  recommended_state_objects: words,
  loop_decision: z.enum(LOOP_DECISIONS),
  requires_user_decision: z.boolean(),
  user_decision_type: z.enum(USER_DECISION_TYPES),
  user_decision_prompt: z.string().nullable(),
  unresolved_p0_count: z.int().min(0),
  regression_detected: z.boolean(),
  root_cause_layers: words,
  broken_edge_ids: words,
  violated_invariants: words,
  acceptance_criteria: words,
  priority_targets: z.array(
    z.strictObject({
      severity: z.enum(["P0", "P1", "P2"]),
      problem_type: z.string(),
      fix_goal: z.string(),
      candidate_files: words,
      evidence: z.string().optional(),
      question: z.string().optional(),
    }),
  ),
  notes: words,
});

const voidShape = z.strictObject({ void: z.literal(true), problems: words, reply: z.string() });

/** `analyst_verdict.json`: the verdict, or why the reply was none. */
export const verdictFileShape = z.union([verdictShape, voidShape]);

type Wire = z.infer<typeof verdictShape>;

/** The fields that the gate reads, as strictly as they are asked for. */
const gateShape = z.object({
  quality_score: verdictShape.shape.quality_score,
  direct_answer_ok: z.boolean(),
  business_usefulness_ok: z.boolean(),
  focus_object_continuity_ok: z.boolean(),
  bundle_reuse_ok: z.boolean(),
  followup_action_resolution_ok: z.boolean(),
  temporal_honesty_ok: z.boolean(),
  field_truth_ok: z.boolean(),
  answer_layering_ok: z.boolean(),
  loop_decision: verdictShape.shape.loop_decision,
  requires_user_decision: z.boolean(),
  unresolved_p0_count: verdictShape.shape.unresolved_p0_count,
  priority_targets: z.array(
    z.object({
      severity: z.enum(["P0", "P1", "P2"]),
      problem_type: z.string().catch("unspecified"),
      fix_goal: z.string().catch(""),
      candidate_files: words.catch([]),
      evidence: z.string().optional().catch(undefined),
      question: z.string().optional().catch(undefined),
    }),
  ),
});

/**
 * Reads the one verdict of a reply. Two verdicts, a key written twice, a gate field missing or out of range: void,
 * because a text under review may have put words into the analyst's mouth. A reply that is cut or broken is void as
 * a whole: what looks like a verdict inside it may be one that the analyst only quotes.
 */
export function readVerdict(text: string): VerdictReading {
  const json = findJson(text);
  if (json.kind === "broken") return { kind: "void", problems: [json.error] };
  const objects = json.kind === "found" ? json.objects : [];
  const candidates = objects.filter((object) => Object.hasOwn(object, "quality_score"));
  const [candidate] = candidates;
  if (candidate === undefined) return { kind: "void", problems: ["no verdict in the reply"] };
  if (candidates.length > 1) {
    return { kind: "void", problems: [`${candidates.length} verdicts in the reply`] };
  }
  const gate = gateShape.safeParse(candidate);
  return gate.success
    ? { kind: "read", verdict: verdictFrom(gate.data, candidate) }
    : { kind: "void", problems: gate.error.issues.map(describe) };
}

/** Reads `analyst_verdict.json`: of a void verdict it keeps the reasons that were found when it came. */
export function readVerdictFile(text: string): VerdictReading {
  const json = findJson(text);
  const found = json.kind === "found" ? voidShape.safeParse(json.objects[0]) : undefined;
  return found?.success ? { kind: "void", problems: found.data.problems } : readVerdict(text);
}

/** The writer beside the reader: offline analysts answer through it. */
export function writeVerdict(verdict: AnalystVerdict): string {
  const wire: Wire = {
    summary: verdict.summary ?? "",
    user_intent_summary: verdict.userIntentSummary ?? "",
    expected_direct_answer: verdict.expectedDirectAnswer ?? "",
    actual_direct_answer: verdict.actualDirectAnswer ?? null,
    quality_score: verdict.qualityScore,
    business_utility_score: verdict.businessUtilityScore ?? verdict.qualityScore,
    direct_answer_priority_score: verdict.directAnswerPriorityScore ?? verdict.qualityScore,
    state_continuity_score: verdict.stateContinuityScore ?? verdict.qualityScore,
    answer_shape_score: verdict.answerShapeScore ?? verdict.qualityScore,
    evidence_clarity_score: verdict.evidenceClarityScore ?? verdict.qualityScore,
    direct_answer_ok: verdict.directAnswerOk,
    business_usefulness_ok: verdict.businessUsefulnessOk,
    focus_object_continuity_ok: verdict.focusObjectContinuityOk,
    bundle_reuse_ok: verdict.bundleReuseOk,
    followup_action_resolution_ok: verdict.followupActionResolutionOk,
    temporal_honesty_ok: verdict.temporalHonestyOk,
    field_truth_ok: verdict.fieldTruthOk,
    answer_layering_ok: verdict.answerLayeringOk,
    recommended_state_objects: [...verdict.recommendedStateObjects],
    loop_decision: verdict.loopDecision,
    requires_user_decision: verdict.requiresUserDecision,
    user_decision_type: verdict.userDecisionType,
    user_decision_prompt: verdict.userDecisionPrompt ?? null,
    unresolved_p0_count: verdict.unresolvedP0Count,
    regression_detected: verdict.regressionDetected ?? false,
    root_cause_layers: [...verdict.rootCauseLayers],
    broken_edge_ids: [...verdict.brokenEdgeIds],
    violated_invariants: [...verdict.violatedInvariants],
    acceptance_criteria: [...verdict.acceptanceCriteria],
    priority_targets: verdict.priorityTargets.map(writeTarget),
    notes: [...verdict.notes],
  };
  return JSON.stringify(wire, null, 2);
}

function verdictFrom(gate: z.output<typeof gateShape>, loose: JsonObject): AnalystVerdict {
  return {
    qualityScore: gate.quality_score,
    directAnswerOk: gate.direct_answer_ok,
    businessUsefulnessOk: gate.business_usefulness_ok,
    focusObjectContinuityOk: gate.focus_object_continuity_ok,
    bundleReuseOk: gate.bundle_reuse_ok,
    followupActionResolutionOk: gate.followup_action_resolution_ok,
    temporalHonestyOk: gate.temporal_honesty_ok,
    fieldTruthOk: gate.field_truth_ok,
    answerLayeringOk: gate.answer_layering_ok,
    loopDecision: gate.loop_decision,
    requiresUserDecision: gate.requires_user_decision,
    unresolvedP0Count: gate.unresolved_p0_count,
    priorityTargets: gate.priority_targets.map(readTarget),
    ...optional("summary", textOf(loose.summary)),
    ...optional("userIntentSummary", textOf(loose.user_intent_summary)),
    ...optional("expectedDirectAnswer", textOf(loose.expected_direct_answer)),
    ...optional("actualDirectAnswer", textOf(loose.actual_direct_answer)),
    ...optional("businessUtilityScore", scoreOf(loose.business_utility_score)),
    ...optional("directAnswerPriorityScore", scoreOf(loose.direct_answer_priority_score)),
    ...optional("stateContinuityScore", scoreOf(loose.state_continuity_score)),
    ...optional("answerShapeScore", scoreOf(loose.answer_shape_score)),
    ...optional("evidenceClarityScore", scoreOf(loose.evidence_clarity_score)),
    ...optional("userDecisionPrompt", textOf(loose.user_decision_prompt)),
    ...optional(
      "regressionDetected",
      typeof loose.regression_detected === "boolean" ? loose.regression_detected : undefined,
    ),
    userDecisionType:
      USER_DECISION_TYPES.find((type) => type === loose.user_decision_type) ?? "none",
    recommendedStateObjects: wordsOf(loose.recommended_state_objects),
    rootCauseLayers: wordsOf(loose.root_cause_layers),
    brokenEdgeIds: wordsOf(loose.broken_edge_ids),
    violatedInvariants: wordsOf(loose.violated_invariants),
    acceptanceCriteria: wordsOf(loose.acceptance_criteria),
    notes: wordsOf(loose.notes),
  };
}

function readTarget(
  target: z.output<typeof gateShape>["priority_targets"][number],
): PriorityTarget {
  return {
    severity: target.severity,
    problemType: target.problem_type,
    fixGoal: target.fix_goal,
    candidateFiles: target.candidate_files,
    ...optional("evidence", target.evidence),
    ...optional("question", target.question),
  };
}

function writeTarget(target: PriorityTarget): Wire["priority_targets"][number] {
  return {
    severity: target.severity,
    problem_type: target.problemType,
    fix_goal: target.fixGoal,
    candidate_files: [...target.candidateFiles],
    ...optional("evidence", target.evidence),
    ...optional("question", target.question),
  };
}

function optional<K extends string, V>(
  name: K,
  value: V | undefined,
): { readonly [name in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in K]: V });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function scoreOf(value: unknown): number | undefined {
  return score.safeParse(value).data;
}

function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join(".") || "verdict"}: ${issue.message}`;
}
