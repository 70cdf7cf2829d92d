import type { RunReport } from "../../contract/http/pack-report.ts";
import type { ProblemSeverity } from "../../domain/scenarios/manifest.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import type { Status } from "../../domain/scenarios/step-status.ts";
import { isUnreachable } from "../../orchestration/scenarios/run-report.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { clipped } from "../shell/row.ts";

const statusStyle: { readonly [status in Status]: Style } = {
  accepted: "good",
  partial: "caution",
  needs_exact_capability: "caution",
  blocked: "bad",
};

const severityStyle: { readonly [severity in ProblemSeverity]: Style } = {
  P0: "bad",
  P1: "caution",
  P2: "muted",
};

const mostTargets = 8;

/** One judged step as it happens. */
export function renderStepLine(
  scenarioId: string,
  step: StepRecord,
  layout: Layout,
): readonly string[] {
  const worst = step.findings[0];
  return layOut(
    [
      { text: statusWord(step.status), style: statusStyle[step.status] },
      { text: `  ${scenarioId}/${step.stepId}` },
      ...(step.flaky === true ? [{ text: "  flaky", style: "caution" as const }] : []),
      ...(worst === undefined
        ? []
        : [
            {
              text: `  ${worst.severity} ${worst.invariant}`,
              style: severityStyle[worst.severity],
            },
          ]),
    ],
    layout,
  );
}

/** What a run came to: the status, why, what to repair, where the proof is. */
export function renderRunReport(report: RunReport, layout: Layout): readonly string[] {
  if (isUnreachable(report)) return renderUnreachable(report, layout);
  const steps = report.scenarios.flatMap((scenario) => scenario.steps);
  const accepted = steps.filter(({ status }) => status === "accepted").length;
  const head: readonly Span[] = [
    { text: `${report.title}: `, style: "heading" },
    { text: report.accepted ? "accepted" : notAccepted(report), style: headStyle(report) },
    { text: `  ${accepted} of ${steps.length} steps accepted`, style: "muted" },
  ];
  const { analyst, nextAction } = report;
  return [
    ...layOut(head, layout),
    ...report.reasons.flatMap((text) => layOut([{ text }], layout, [{ text: "  - " }])),
    ...renderTargets(report, layout),
    ...(analyst === undefined
      ? []
      : layOut([{ text: `Judged by ${judge(analyst)}.`, style: "muted" }], layout)),
    ...(nextAction === undefined
      ? []
      : layOut([{ text: "Next: " }, { text: nextAction, style: "strong" }], layout)),
    ...layOut([{ text: `Files: ${report.folder}`, style: "muted" }], layout),
  ];
}

/** One cause, said once: a backlog of questions that nobody heard would hide it. */
function renderUnreachable(report: RunReport, layout: Layout): readonly string[] {
  const evidence = report.scenarios
    .flatMap(({ steps }) => steps)
    .flatMap(({ findings }) => findings)
    .find((finding) => finding.evidence.startsWith("unreachable:"))?.evidence;
  return [
    ...layOut(
      [
        { text: `${report.title}: `, style: "heading" },
        { text: "the assistant cannot be reached", style: "bad" },
        { text: `  ${evidence?.replace("unreachable: ", "") ?? ""}` },
      ],
      layout,
    ),
    ...layOut([{ text: "Start it, or give its address with --assistant-url." }], layout),
    ...layOut([{ text: `Files: ${report.folder}`, style: "muted" }], layout),
  ];
}

function statusWord(status: Status): string {
  return (status === "needs_exact_capability" ? "no route" : status).padEnd(9);
}

function notAccepted({ finalStatus }: RunReport): string {
  return finalStatus === "accepted" ? "not accepted" : finalStatus;
}

function headStyle(report: RunReport): Style {
  return report.accepted ? "good" : report.finalStatus === "blocked" ? "bad" : "caution";
}

function judge(analyst: { readonly model: string; readonly standIn: boolean }): string {
  return analyst.standIn ? `${analyst.model}, a rule-based stand-in` : analyst.model;
}

function renderTargets({ repairTargets }: RunReport, layout: Layout): readonly string[] {
  if (repairTargets.length === 0) return [];
  const rest = repairTargets.length - mostTargets;
  return [
    "",
    ...repairTargets.slice(0, mostTargets).flatMap((target) => [
      ...layOut(
        [
          { text: target.severity, style: severityStyle[target.severity] },
          { text: ` ${target.problemType}`, style: "strong" },
          { text: `  ${places(target.occurrences)}`, style: "muted" },
        ],
        layout,
      ),
      ...layOut([{ text: clipped(target.question, 200) }], layout, [{ text: "   asked     " }]),
      ...layOut([{ text: clipped(target.evidence, 300) }], layout, [{ text: "   seen      " }]),
      ...layOut([{ text: clipped(target.expectation, 200) }], layout, [{ text: "   expected  " }]),
    ]),
    ...(rest > 0
      ? layOut([{ text: `and ${rest} more in pack_summary.md`, style: "muted" }], layout)
      : []),
    "",
  ];
}

function places(
  occurrences: readonly { readonly scenarioId: string; readonly stepId: string }[],
): string {
  const shown = occurrences.slice(0, 3).map(({ scenarioId, stepId }) => `${scenarioId}/${stepId}`);
  const rest = occurrences.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
