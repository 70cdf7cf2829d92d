import { blocksAcceptance, type Invariant } from "./finding.ts";
import { firstLine } from "./folded-text.ts";
import { countOpen, type RepairTarget } from "./repair-targets.ts";
import { countedSteps, type PackRecord, packStatus } from "./run-record.ts";
import type { AnalystVerdict } from "./verdict.ts";

/** The offline analyst: a verdict from the checks alone, naming only what they found. */
export function deriveVerdict(pack: PackRecord, targets: readonly RepairTarget[]): AnalystVerdict {
  const steps = countedSteps(pack);
  const findings = steps.flatMap(({ step }) => step.findings).filter(blocksAcceptance);
  const passed = steps.filter(({ step }) => step.status === "accepted").length;
  const status = packStatus(pack);
  const share = steps.length === 0 ? 0 : Math.floor((passed / steps.length) * 100);
  const none = (...invariants: readonly Invariant[]) =>
    steps.length > 0 && !findings.some((finding) => invariants.includes(finding.invariant));
  const live = targets.filter(blocksAcceptance);
  const accepted = status === "accepted" && live.length === 0 && steps.length > 0;
  const first = steps.find(({ step }) => step.status !== "accepted")?.step ?? steps[0]?.step;
  return {
    summary: `${passed} of ${steps.length} counted steps pass all checks.`,
    ...(first === undefined ? {} : { actualDirectAnswer: firstLine(first.answerText) }),
    qualityScore: accepted ? share : Math.min(share, 79),
    directAnswerOk: none("direct_answer_first", "transport", "required_answer_content"),
    businessUsefulnessOk: none(
      "transport",
      "required_answer_content",
      "forbidden_answer_content",
      "over_broad_answer",
    ),
    focusObjectContinuityOk: none("edge_carryover", "carryover_unobserved", "object_memory"),
    bundleReuseOk: none("object_memory"),
    followupActionResolutionOk: none("intent", "recipe", "capability", "fallback"),
    temporalHonestyOk: none("temporal_honesty"),
    fieldTruthOk: none("field_truth", "debug_field"),
    answerLayeringOk: none(
      "answer_layering",
      "technical_garbage",
      "technical_garbage_first_line",
      "top_level_noise",
    ),
    loopDecision: accepted ? "accepted" : status === "accepted" ? "continue" : status,
    requiresUserDecision: false,
    unresolvedP0Count: countOpen(targets).P0,
    priorityTargets: live.map(
      ({ severity, problemType, question, evidence, fixGoal, candidateFiles }) => ({
        ...{ severity, problemType, question, evidence, fixGoal, candidateFiles },
      }),
    ),
    recommendedStateObjects: [],
    userDecisionType: "none",
    regressionDetected: false,
    rootCauseLayers: [...new Set(live.map((target) => target.problemType))],
    brokenEdgeIds: [],
    violatedInvariants: [...new Set(findings.map((finding) => finding.invariant))],
    acceptanceCriteria: live.map((target) => target.expectation),
    notes: ["derived from the checks; no model was asked"],
  };
}
