import { expect, test } from "vitest";
import type { RunReport } from "../../contract/http/pack-report.ts";
import { renderHtmlReport } from "./render-html-report.ts";

const report: RunReport = {
  runId: "00000000-0000-4000-8000-000000000001",
  kind: "pack",
  subject: "shop",
  title: "The shop's <books>",
  folder: "out",
  finalStatus: "partial",
  accepted: false,
  reasons: ["1 unresolved P0"],
  scenarios: [
    {
      scenarioId: "stock",
      domain: "stock",
      title: "Stock",
      steps: [
        {
          stepId: "desk",
          title: "Desks",
          criticality: "critical",
          dependsOn: [],
          placeholderRoots: [],
          carryoverInvariants: [],
          questionTemplate: "How many?",
          execution: "answered",
          answerText: '<script src="https://evil.example"></script>',
          status: "partial",
          findings: [
            {
              severity: "P0",
              invariant: "direct_answer_first",
              expectation: "^5 pieces",
              evidence: "line 1 is <nothing>",
              visible: true,
            },
          ],
        },
      ],
    },
  ],
  repairTargets: [],
};

test("what an assistant says is shown and never run, with the checks beside it", () => {
  const page = renderHtmlReport(report);
  expect(page).not.toMatch(/<script|<nothing>|<books>/);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("&#60;script src=&#34;https://evil.example&#34;&#62;");
  expect(page).toContain('<b class="P0">P0 direct_answer_first</b>');
  expect(page).toContain("0 of 1 step accepted");
});

test("a run whose checks pass but whose analyst refuses does not look accepted", () => {
  const page = renderHtmlReport({
    ...report,
    finalStatus: "accepted",
    analyst: { model: "offline/rules", standIn: true },
    nextAction: "lead_coder_repair_required",
  });
  expect(page).toMatch(/<h1 class="partial">[^<]*not accepted/);
  expect(page).toContain("a rule-based stand-in");
});
