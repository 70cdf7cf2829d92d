import { visibleText } from "../../domain/values/visible.ts";
import { printableJson } from "../documents/json-text.ts";
import type { CiFormat } from "./ci-format-names.ts";
import { renderCheckJUnit } from "./ci-junit.ts";
import { renderCodeQuality, renderGitHub, renderRdjsonl } from "./ci-lines.ts";
import { renderCheckSummary } from "./ci-markdown.ts";
import type { CiFinding, CiReport } from "./ci-report.ts";
import { renderSarif } from "./ci-sarif.ts";

const renderers: { readonly [format in CiFormat]: (report: CiReport) => string } = {
  sarif: (report) => printableJson(renderSarif(report), 2),
  github: (report) => visibleText(renderGitHub(report)),
  junit: renderCheckJUnit,
  gitlab: (report) => printableJson(renderCodeQuality(report), 2),
  rdjsonl: renderRdjsonl,
  markdown: (report) => visibleText(renderCheckSummary(report)),
};

export function renderCi(report: CiReport, format: CiFormat): string {
  const { folder, pairs, findings } = report;
  return renderers[format]({
    ...report,
    pairs: pairs.map((pair) => ({ ...pair, note: folder + pair.note })),
    findings: findings.map((one) => visible({ ...one, note: folder + one.note })),
  });
}

/** Models and authors wrote it: nothing of it may act on whoever prints the report. */
function visible(finding: CiFinding): CiFinding {
  const { message, quote, suppressed } = finding;
  return {
    ...finding,
    message: visibleText(message),
    ...(quote === undefined ? {} : { quote: visibleText(quote) }),
    ...(suppressed === undefined ? {} : { suppressed: visibleText(suppressed) }),
  };
}
