import { type RunReport, reportToJson } from "../../contract/http/pack-report.ts";
import type { Finding } from "../../domain/scenarios/finding.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";
import { ConfigurationError } from "../../domain/values/workflow-error.ts";
import { renderHtmlReport } from "./render-html-report.ts";

const forms: { readonly [ending: string]: (report: RunReport) => string } = {
  json: (report) => `${JSON.stringify(reportToJson(report), undefined, 2)}\n`,
  md: renderMarkdownReport,
  xml: renderJunitReport,
  html: renderHtmlReport,
};

/** The writer of the form that the file's name asks for. Known before anybody is asked anything. */
export function reportWriter(file: string): (report: RunReport) => string {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  const write = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (write !== undefined) return write;
  throw new ConfigurationError(`A report cannot be written as ${file}.`, {
    code: "report-form-unknown",
    facts: { file },
    hint: "Name it .md, .json, .xml (JUnit) or .html.",
  });
}

/**
 * JUnit as CI systems read it: a suite per scenario, a test per step; steps of `info` never fail. The gate is a test
 * too, because an analyst may refuse what every check let pass.
 */
function renderJunitReport(report: RunReport): string {
  const suites = report.scenarios.map(({ scenarioId, steps }) => {
    const failures = steps.filter(fails).length;
    const skipped = steps.filter(({ execution }) => execution === "skipped").length;
    const cases = steps.map((step) => junitCase(scenarioId, step));
    return `  <testsuite name="${xml(scenarioId)}" tests="${steps.length}" failures="${failures}" skipped="${skipped}">\n${cases.join("\n")}\n  </testsuite>`;
  });
  const all = report.scenarios.flatMap(({ steps }) => steps);
  const refused = report.accepted ? 0 : 1;
  const why = `<failure type="not_accepted">${xml(report.reasons.join("\n"))}</failure>`;
  const gate = `    <testcase classname="acceptance" name="gate"${report.accepted ? "/>" : `>${why}</testcase>`}`;
  const acceptance = `  <testsuite name="acceptance" tests="1" failures="${refused}" skipped="0">\n${gate}\n  </testsuite>`;
  const failures = all.filter(fails).length + refused;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(report.subject)}" tests="${all.length + 1}" failures="${failures}">\n${[...suites, acceptance].join("\n")}\n</testsuites>\n`;
}

function junitCase(scenarioId: string, step: StepRecord): string {
  const open = `    <testcase classname="${xml(scenarioId)}" name="${xml(`${step.stepId} ${step.title}`)}"`;
  if (step.execution === "skipped") return `${open}><skipped/></testcase>`;
  if (!fails(step)) return `${open}/>`;
  const body = [
    `Question: ${step.questionResolved ?? step.questionTemplate}`,
    `Answer: ${step.answerText}`,
    ...step.findings.map(findingText),
  ].join("\n");
  return `${open}><failure type="${step.status}" message="${xml(step.findings.map(({ invariant }) => invariant).join(", "))}">${xml(body)}</failure></testcase>`;
}

function fails({ status, criticality, execution }: StepRecord): boolean {
  return status !== "accepted" && criticality !== "info" && execution !== "skipped";
}

function findingText({ severity, invariant, expectation, evidence }: Finding): string {
  return `${severity} ${invariant}: expected ${expectation}; seen: ${evidence}`;
}

/** Safe inside elements and attributes; characters that XML cannot hold are replaced. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}

function renderMarkdownReport(report: RunReport): string {
  const lines = [
    `# ${flat(report.title)}: ${report.accepted ? "accepted" : report.finalStatus}`,
    "",
    ...report.reasons.map((reason) => `- ${flat(reason)}`),
    "",
    "| step | status | findings |",
    "| --- | --- | --- |",
    ...report.scenarios.flatMap(({ scenarioId, steps }) =>
      steps.map(
        (step) =>
          `| ${scenarioId}/${step.stepId} | ${step.status}${step.flaky === true ? " (flaky)" : ""} | ${flat(step.findings.map(findingText).join("; "))} |`,
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[|<>]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
