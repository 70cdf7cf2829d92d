import { renderCount } from "../shell/amounts.ts";
import { type Layout, layOut, type Span } from "../shell/lay-out.ts";

export interface DoctorFinding {
  readonly level: "ok" | "warning" | "error";
  /** What was looked at and what was found, as one sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

const signs = {
  ok: { text: "ok       ", style: "good" },
  warning: { text: "warning  ", style: "caution" },
  error: { text: "error    ", style: "bad" },
} as const;

/** Everything that was looked at, and a last line that says whether anything has to be done. */
export function renderDoctor(
  findings: readonly DoctorFinding[],
  layout: Layout,
): readonly string[] {
  const lines = findings.flatMap(({ level, text, hint }) => {
    const advice: readonly Span[] =
      hint === undefined ? [] : [{ text: `\n${hint}`, style: "accent" }];
    return layOut([{ text }, ...advice], layout, [{ text: "  " }, signs[level]]);
  });
  const wrong = findings.filter(({ level }) => level !== "ok").length;
  const verdict: Span =
    wrong === 0
      ? { text: "Nothing to mend.", style: "good" }
      : { text: `${renderCount(wrong, "finding")} to look at.`, style: "caution" };
  return [...lines, "", ...layOut([verdict], layout)];
}
