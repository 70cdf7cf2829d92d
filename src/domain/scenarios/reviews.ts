import type { Finding } from "./finding.ts";
import { firstLine } from "./folded-text.ts";
import { collectRepairTargets, countOpen, type RepairTarget } from "./repair-targets.ts";
import {
  blockingFindings,
  countedSteps,
  type PackRecord,
  packStatus,
  type ScenarioRecord,
  type StepRecord,
} from "./run-record.ts";
import type { Status } from "./step-status.ts";

export interface ReviewedStep {
  readonly scenarioId: string;
  readonly stepId: string;
  readonly question: string;
  readonly directAnswer: string;
  readonly passed: boolean;
  readonly findings: readonly Finding[];
}

/** Every deterministic check, visible or technical. */
export interface TruthReview {
  readonly summary: {
    readonly overallStatus: "pass" | "fail";
    readonly steps: number;
    readonly failedSteps: number;
    readonly unresolvedP0: number;
    readonly unresolvedP1: number;
  };
  readonly steps: readonly ReviewedStep[];
}

/** What a person would object to, judged from the visible answers alone. */
export interface BusinessReview {
  readonly overallBusinessStatus: "pass" | "fail";
  readonly businessAnswerFailures: number;
  readonly directAnswerOk: boolean;
  readonly technicalGarbagePresent: boolean;
  readonly steps: readonly ReviewedStep[];
}

export interface AcceptanceGate {
  readonly passed: boolean;
  readonly finalStatus: Status;
  readonly unresolvedP0: number;
  readonly reasons: readonly string[];
}

export function reviewTruth(
  pack: PackRecord,
  targets: readonly RepairTarget[] = collectRepairTargets(pack, {}),
): TruthReview {
  const steps = countedSteps(pack).map(({ scenario, step }) =>
    reviewStep(scenario, step, step.findings),
  );
  const open = countOpen(targets);
  const failedSteps = steps.filter((step) => !step.passed).length;
  return {
    summary: {
      overallStatus: failedSteps === 0 && steps.length > 0 ? "pass" : "fail",
      steps: steps.length,
      failedSteps,
      unresolvedP0: open.P0,
      unresolvedP1: open.P1,
    },
    steps,
  };
}

export function reviewBusiness(pack: PackRecord): BusinessReview {
  const steps = countedSteps(pack).map(({ scenario, step }) =>
    reviewStep(
      scenario,
      step,
      step.findings.filter((finding) => finding.visible),
    ),
  );
  const failures = steps.filter((step) => !step.passed).length;
  const findings = steps.flatMap((step) => step.findings);
  return {
    overallBusinessStatus: failures === 0 && steps.length > 0 ? "pass" : "fail",
    businessAnswerFailures: failures,
    directAnswerOk: !findings.some((finding) => finding.invariant === "direct_answer_first"),
    technicalGarbagePresent: findings.some((finding) =>
      finding.invariant.startsWith("technical_garbage"),
    ),
    steps,
  };
}

/** The deterministic half of acceptance; a pack loop adds the analyst's. */
export function decideAcceptance(
  pack: PackRecord,
  truth: TruthReview,
  business: BusinessReview,
): AcceptanceGate {
  const finalStatus = packStatus(pack);
  const open = truth.summary.unresolvedP0;
  const reasons = [
    ...(finalStatus === "accepted" ? [] : [`final status is ${finalStatus}`]),
    ...(truth.summary.overallStatus === "pass" ? [] : ["the truth review does not pass"]),
    ...(business.overallBusinessStatus === "pass" ? [] : ["the business review does not pass"]),
    ...(open === 0 ? [] : [`${open} unresolved P0`]),
  ];
  return { passed: reasons.length === 0, finalStatus, unresolvedP0: open, reasons };
}

function reviewStep(
  scenario: ScenarioRecord,
  step: StepRecord,
  findings: readonly Finding[],
): ReviewedStep {
  return {
    scenarioId: scenario.scenarioId,
    stepId: step.stepId,
    question: step.questionResolved ?? step.questionTemplate,
    directAnswer: firstLine(step.answerText),
    passed: blockingFindings({ ...step, findings }).length === 0 && step.execution === "answered",
    findings,
  };
}
