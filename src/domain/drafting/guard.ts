import type { RaisedIssue, Severity, Verdict } from "./review.ts";
import { sameText } from "./same-text.ts";

/** No `ok` stands beside an error, whoever raised it; other verdicts stay as they are. */
export function guardVerdict(
  verdict: Verdict,
  issues: readonly { readonly severity: Severity }[],
): Verdict {
  const hasError = issues.some((issue) => issue.severity === "error");
  return verdict === "ok" && hasError ? "changes_requested" : verdict;
}

/** The objection to a text that differs from the one it is locked to; white space at the end is no difference. */
export function lockedSelectionIssue(
  text: string,
  lockedText: string | undefined,
): RaisedIssue | undefined {
  if (lockedText === undefined || sameText(text, lockedText)) return undefined;
  return {
    severity: "error",
    code: "locked_selection",
    field: "content",
    message: "A text is already selected and locked; the candidate differs from it.",
  };
}
