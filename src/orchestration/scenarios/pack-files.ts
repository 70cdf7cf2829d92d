import type { RunEventData } from "../../contract/scenarios/run-events.ts";
import { describeAnalyst } from "../../domain/scenarios/analyst-facts.ts";
import { describeAssistant } from "../../domain/scenarios/assistant-identity.ts";
import type { RepairTarget } from "../../domain/scenarios/repair-targets.ts";
import {
  type BusinessReview,
  type ReviewedStep,
  reviewBusiness,
  reviewTruth,
  type TruthReview,
} from "../../domain/scenarios/reviews.ts";
import type { ScenarioRecord } from "../../domain/scenarios/run-record.ts";
import { describeUser } from "../../domain/scenarios/simulated-user.ts";
import { counted } from "../../domain/values/counted.ts";
import type { RecordFile } from "../../ports/record-files.ts";
import { artifactFile } from "./artifact-files.ts";
import { blockquote, bullets, markdownPage, oneLine, table } from "./markdown.ts";
import { findingLine } from "./scenario-files.ts";

type PackState = RunEventData<"pack-judged">["state"];

/** Everything a judged pack leaves beside its scenarios; each file is made when it is its turn, so that one is held. */
export function* packFiles(
  state: PackState,
  scenarios: readonly ScenarioRecord[],
): Generator<RecordFile> {
  const record = { packId: state.packId, title: state.title, scenarios };
  const truth = reviewTruth(record);
  yield artifactFile("truth_review.json", truth);
  yield { name: "truth_review.md", content: renderTruth(truth) };
  const business = reviewBusiness(record);
  yield artifactFile("business_review.json", business);
  yield { name: "business_review.md", content: renderBusiness(business) };
  yield { name: "pack_summary.md", content: renderPackSummary(state) };
  yield { name: "final_status.md", content: renderPackStatus(state) };
  yield artifactFile("pack_state.json", state);
}

export function renderTarget(target: RepairTarget, number: number): string {
  const places = target.occurrences.map(({ scenarioId, stepId }) => `${scenarioId}/${stepId}`);
  return markdownPage(
    `## ${number}. ${target.severity} ${oneLine(target.problemType)}`,
    places.length === 0 ? "Named by the analyst." : `Seen in ${places.join(", ")}.`,
    target.question === "" ? "" : `Question:\n\n${blockquote(target.question)}`,
    places.length === 0 ? "" : `Visible answer:\n\n${blockquote(target.visibleAnswer)}`,
    bullets([
      `expected: ${target.expectation}`,
      `seen: ${target.evidence}`,
      `goal: ${target.fixGoal}`,
      `candidate files: ${target.candidateFiles.join(", ") || "none known"}`,
    ]),
  ).trimEnd();
}

function renderPackStatus(state: PackState): string {
  return markdownPage(
    `# ${state.finalStatus}`,
    `The acceptance gate ${state.acceptanceGatePassed ? "passed" : "did not pass"}.`,
    bullets(state.reasons),
    state.assistant === undefined ? "" : `Asked: ${describeAssistant(state.assistant)}.`,
    state.userModel === undefined ? "" : `Users played by ${describeUser(state.userModel)}.`,
    state.analyst === undefined ? "" : `Judged by ${describeAnalyst(state.analyst)}.`,
  );
}

function renderPackSummary(state: PackState): string {
  const backlog = state.repairTargets.map((target, index) => renderTarget(target, index + 1));
  return markdownPage(
    `# ${oneLine(state.title)}: ${state.finalStatus}`,
    table(
      ["scenario", "status", "steps", "flaky"],
      state.scenarios.map(({ scenarioId, status, steps, flakySteps }) => [
        scenarioId,
        status,
        steps,
        flakySteps.join(", "),
      ]),
    ),
    "# Backlog",
    ...(backlog.length === 0 ? ["Nothing to repair."] : backlog),
  );
}

function renderTruth({ summary, steps }: TruthReview): string {
  return markdownPage(
    `# Truth review: ${summary.overallStatus}`,
    `${counted(summary.steps, "step")} checked, ${summary.failedSteps} failed, ${summary.unresolvedP0} P0 and ${summary.unresolvedP1} P1 open.`,
    ...steps.filter((step) => step.findings.length > 0).map(renderReviewed),
  );
}

function renderBusiness(review: BusinessReview): string {
  return markdownPage(
    `# Business review: ${review.overallBusinessStatus}`,
    "Judged from what a user sees, and nothing else.",
    bullets([
      `business-answer failures: ${review.businessAnswerFailures}`,
      `direct answers on line 1: ${review.directAnswerOk ? "yes" : "no"}`,
      `technical garbage: ${review.technicalGarbagePresent ? "yes" : "no"}`,
    ]),
    ...review.steps.filter((step) => !step.passed).map(renderReviewed),
  );
}

function renderReviewed(step: ReviewedStep): string {
  return markdownPage(
    `## ${step.scenarioId}/${step.stepId}: ${step.passed ? "pass" : "fail"}`,
    blockquote(step.question),
    `Line 1: ${oneLine(step.directAnswer) || "nothing"}`,
    bullets(step.findings.map(findingLine)),
  ).trimEnd();
}
