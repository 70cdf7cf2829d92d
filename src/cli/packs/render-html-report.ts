import type { RunReport } from "../../contract/http/pack-report.ts";
import type { Finding } from "../../domain/scenarios/finding.ts";
import { type StepRecord, scenarioStatus } from "../../domain/scenarios/run-record.ts";
import { describeUser } from "../../domain/scenarios/simulated-user.ts";
import { counted } from "../../domain/values/counted.ts";

const style = `:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#d9dadd;--page:#fff;--good:#18794e;--fair:#ad5700;--bad:#ca244d}
@media(prefers-color-scheme:dark){:root{--ink:#e7e9eb;--soft:#a0a6ad;--line:#34383d;--page:#16181a;--good:#4cc38a;--fair:#f1a10d;--bad:#ff6369}}
body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2rem}small,dt,.soft{color:var(--soft);font-weight:400}a{color:inherit}
.accepted{color:var(--good)}.partial,.needs_exact_capability,.P1{color:var(--fair)}.blocked,.P0{color:var(--bad)}.P2{color:var(--soft)}
table{border-collapse:collapse;margin-top:1rem}td,th{padding:.2rem 1rem .2rem 0;text-align:left;vertical-align:top}td+td,th+th{white-space:nowrap;overflow-wrap:normal}th{color:var(--soft);font-weight:400}
details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:.5rem .8rem}summary{cursor:pointer}
.turn{display:grid;gap:.2rem 2rem;margin-top:.4rem}@media(min-width:55rem){.turn{grid-template-columns:1fr 1fr}}
blockquote{margin:.2rem 0 .6rem;padding-left:.8rem;border-left:3px solid var(--line);white-space:pre-wrap}
ol,ul{margin:.2rem 0;padding-left:1.2rem}.turn li{margin-bottom:.5rem}dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:0 .6rem}dd{margin:0}`;

/** A self-contained file: no script, no external address, and all untrusted text escaped. */
export function renderHtmlReport(report: RunReport): string {
  const status = report.accepted ? "accepted" : report.finalStatus;
  const title = `${report.title}: ${!report.accepted && status === "accepted" ? "not accepted" : status}`;
  const steps = report.scenarios.flatMap((scenario) => scenario.steps);
  const accepted = steps.filter((step) => step.status === "accepted").length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="viewport" content="width=device-width"><title>${html(title)}</title><style>${style}</style></head>
<body><h1 class="${report.accepted ? "accepted" : report.finalStatus === "accepted" ? "partial" : report.finalStatus}">${html(title)}</h1>
<p class="soft">${accepted} of ${counted(steps.length, "step")} accepted${judgedBy(report)} · run ${html(report.runId)}</p>
<ul>${report.reasons.map((reason) => `<li>${html(reason)}</li>`).join("")}</ul>
${renderOverview(report)}
${report.scenarios
  .map(
    ({ scenarioId, title: name, steps: chain }) =>
      `<h2 id="${html(scenarioId)}">${html(name)} <small>${html(scenarioId)}</small></h2>${chain.map(renderStep).join("\n")}`,
  )
  .join("\n")}
</body></html>
`;
}

function judgedBy({ userModel, analyst, nextAction }: RunReport): string {
  const user = userModel === undefined ? "" : ` · users played by ${describeUser(userModel)}`;
  const judge =
    analyst === undefined
      ? ""
      : ` · judged by ${analyst.model}${analyst.standIn ? ", a rule-based stand-in" : ""}`;
  const next = nextAction === undefined ? "" : ` · next: ${nextAction}`;
  return html(`${user}${judge}${next}`);
}

function renderOverview({ scenarios }: RunReport): string {
  const rows = scenarios.map((scenario) => {
    const findings = scenario.steps.flatMap((step) => step.findings);
    const counts = (["P0", "P1", "P2"] as const).map(
      (severity) => findings.filter((finding) => finding.severity === severity).length,
    );
    const status = scenarioStatus(scenario);
    return `<tr><td><a href="#${html(scenario.scenarioId)}">${html(scenario.title)}</a></td><td class="${status}">${status}</td>${counts.map((count) => `<td>${count}</td>`).join("")}</tr>`;
  });
  return `<table><tr><th>scenario</th><th>status</th><th>P0</th><th>P1</th><th>P2</th></tr>${rows.join("")}</table>`;
}

/** The answer on one side, the results of the checks on the other. */
function renderStep(step: StepRecord): string {
  const isOpen = step.findings.length === 0 ? "" : " open";
  const flaky = step.flaky === true ? " (flaky)" : "";
  const checks =
    step.findings.length === 0
      ? '<p class="accepted">Every check passed.</p>'
      : `<ul>${step.findings.map(renderFinding).join("")}</ul>`;
  return `<details${isOpen}><summary><b class="${step.status}">${step.status}</b>${flaky} ${html(step.title)}</summary>
<div class="turn"><div><small>Question</small><blockquote>${html(step.questionResolved ?? step.questionTemplate)}</blockquote>
<small>Answer</small><blockquote>${html(step.answerText || `none: ${step.execution}`)}</blockquote></div>
<div><small>Checks</small>${checks}</div></div></details>`;
}

function renderFinding({ severity, invariant, expectation, evidence }: Finding): string {
  return `<li><b class="${severity}">${severity} ${html(invariant)}</b><dl><dt>expected</dt><dd>${html(expectation)}</dd><dt>seen</dt><dd>${html(evidence)}</dd></dl></li>`;
}

function html(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
