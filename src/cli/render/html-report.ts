import type { RunReport } from "../../contract/http/pack-report.ts";
import type { StepRecord } from "../../domain/scenarios/run-record.ts";

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2024;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.accepted{color:#18794e}.partial,.needs_exact_capability{color:#ad5700}.blocked{color:#ca244d}
details{border:1px solid #d9dadd;border-radius:6px;margin:.5rem 0;padding:.4rem .8rem}summary{cursor:pointer}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid #d9dadd;white-space:pre-wrap;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#16181a;color:#e7e9eb}.accepted{color:#4cc38a}.partial,.needs_exact_capability{color:#f1a10d}.blocked{color:#ff6369}}`;

/** One file that needs nothing else: no script, no address, and every foreign text escaped. */
export function renderHtmlReport(report: RunReport): string {
  const title = `${report.title}: ${report.accepted ? "accepted" : report.finalStatus}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>${html(title)}</title><style>${style}</style></head>
<body><h1 class="${report.accepted ? "accepted" : report.finalStatus}">${html(title)}</h1>
<p>Run ${html(report.runId)}</p>
<ul>${report.reasons.map((reason) => `<li>${html(reason)}</li>`).join("")}</ul>
${report.scenarios
  .map(
    ({ scenarioId, title: name, steps }) =>
      `<h2>${html(name)} <small>${html(scenarioId)}</small></h2>${steps.map(renderStep).join("\n")}`,
  )
  .join("\n")}
</body></html>
`;
}

function renderStep(step: StepRecord): string {
  const isOpen = step.status === "accepted" ? "" : " open";
  const flaky = step.flaky === true ? " (flaky)" : "";
  const findings = step.findings.map(
    ({ severity, invariant, expectation, evidence }) =>
      `<li><b>${severity} ${html(invariant)}</b>: expected ${html(expectation)}; seen: ${html(evidence)}</li>`,
  );
  return `<details${isOpen}><summary><b class="${step.status}">${step.status}</b>${flaky} ${html(step.title)}</summary>
<p>Question</p><blockquote>${html(step.questionResolved ?? step.questionTemplate)}</blockquote>
<p>Answer</p><blockquote>${html(step.answerText || `none: ${step.execution}`)}</blockquote>
<ul>${findings.join("")}</ul></details>`;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
