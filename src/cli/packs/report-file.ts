import { printableJson } from "../../contract/documents/json-text.ts";
import { type JUnitCase, renderJUnit } from "../../contract/documents/junit.ts";
import { type RunReport, reportToJson } from "../../contract/http/pack-report.ts";
import { describeRepeats } from "../../domain/scenarios/repeats.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { findingLine } from "../../orchestration/scenarios/scenario-files.ts";
import { renderHtmlReport } from "./render-html-report.ts";

const forms: { readonly [ending: string]: (report: RunReport) => string } = {
  json: (report) => printableJson(reportToJson(report), 2),
  md: renderMarkdownReport,
  xml: renderJUnitReport,
  html: renderHtmlReport,
};

/** The writer for the file's extension; checked before any question is asked. */
export function reportWriter(file: string): (report: RunReport) => string {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (write !== undefined) return write;
  throw new ConfigurationError(`The report ${file} has an unknown file extension.`, {
    code: "report-form-unknown",
    facts: { file },
    hint: "Name it .md, .json, .xml (JUnit) or .html.",
  });
}

/**
 * A suite per scenario, a test per step; `info` steps never fail. The gate is a test too, because an analyst may reject
 * a run that passed every check.
 */
function renderJUnitReport(report: RunReport): string {
  const suites = report.scenarios.map(({ scenarioId, steps }) => ({
    name: scenarioId,
    cases: steps.map((step) => toCase(scenarioId, step)),
  }));
  const text = report.reasons.join("\n");
  const refused = { kind: "failure", type: "not_accepted", text } as const;
  const about = { classname: "acceptance", name: "gate" };
  const gate = report.accepted ? about : { ...about, result: refused };
  const acceptance = { name: "acceptance", cases: [gate] };
  return renderJUnit({ name: report.subject, suites: [...suites, acceptance] });
}

function toCase(scenarioId: string, step: StepRecord): JUnitCase {
  const { latencyMs } = step;
  const about = {
    ...{ classname: scenarioId, name: `${step.stepId} ${step.title}` },
    ...(latencyMs === undefined ? {} : { seconds: latencyMs / 1000 }),
  };
  if (step.execution === "skipped") return { ...about, result: { kind: "skipped" } };
  if (!fails(step)) return about;
  const text = [
    `Question: ${step.questionResolved ?? step.questionTemplate}`,
    `Answer: ${step.answerText}`,
    ...(step.repeats === undefined ? [] : [describeRepeats(step.repeats)]),
    ...step.findings.map(findingLine),
  ].join("\n");
  const message = step.findings.map(({ invariant }) => invariant).join(", ");
  return { ...about, result: { kind: "failure", type: step.status, message, text } };
}

function fails({ status, criticality, execution }: StepRecord): boolean {
  return status !== "accepted" && criticality !== "info" && execution !== "skipped";
}

function renderMarkdownReport(report: RunReport): string {
  const lines = [
    `# ${flat(report.title)}: ${report.accepted ? "accepted" : report.finalStatus}`,
    "",
    ...report.reasons.map((reason) => `- ${flat(reason)}`),
    "",
    "| step | status | seconds | findings |",
    "| --- | --- | --- | --- |",
    ...report.scenarios.flatMap(({ scenarioId, steps }) =>
      steps.map(
        (step) =>
          `| ${scenarioId}/${step.stepId} | ${statusText(step)} | ${secondsText(step)} | ${flat(step.findings.map(findingLine).join("; "))} |`,
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function statusText({ status, flaky, repeats }: StepRecord): string {
  const counted = repeats === undefined ? "" : `, ${describeRepeats(repeats)}`;
  return `${status}${flaky === true ? " (flaky)" : ""}${counted}`;
}

function secondsText({ latencyMs }: StepRecord): string {
  return latencyMs === undefined ? "" : (latencyMs / 1000).toFixed(1);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[|<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
