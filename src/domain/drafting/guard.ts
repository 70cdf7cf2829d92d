import type { RaisedIssue, Severity, Verdict } from "./review.ts";
import { sameText } from "./same-text.ts";

/** An `ok` with an error, whichever reviewer raised it, becomes `changes_requested`; other verdicts are unchanged. */
export function guardVerdict(
  verdict: Verdict,
  issues: readonly { readonly severity: Severity }[],
): Verdict {
  const hasError = issues.some((issue) => issue.severity === "error");
  return verdict === "ok" && hasError ? "changes_requested" : verdict;
}

/** The objection to a text that differs from the one it is locked to; trailing white space is ignored. */
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
