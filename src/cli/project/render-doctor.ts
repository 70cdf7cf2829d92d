import type { DoctorFinding } from "../../orchestration/runs/examine-project.ts";
import { renderCount } from "../shell/amounts.ts";
import type { Line } from "../shell/lay-out.ts";
import { accent, bad, caution, good } from "../shell/styles.ts";

const signs = { ok: good("ok       "), warning: caution("warning  "), error: bad("error    ") };

/** Every check with its result, and a last line with the number of problems. */
export function doctorLines(findings: readonly DoctorFinding[]): readonly Line[] {
  const wrong = findings.filter(({ level }) => level !== "ok").length;
  return [
    ...findings.map(({ level, text, hint }) => ({
      lead: ["  ", signs[level]],
      spans: [text, hint && accent(`\n${hint}`)],
    })),
    "",
    wrong === 0 ? good("No problems found.") : caution(`${renderCount(wrong, "problem")} found.`),
  ];
}
