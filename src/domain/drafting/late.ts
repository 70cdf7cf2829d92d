import type { RaisedIssue } from "./review.ts";
import { sameText } from "./same-text.ts";

/**
 * Whether a new objection comes late: an error about words that the same reviewer had before it last time and
 * let pass. `before` is the text it reviewed then.
 */
export function isLate(
  issue: RaisedIssue,
  texts: { readonly before: string; readonly now: string },
): boolean {
  const { before, now } = texts;
  if (issue.severity !== "error") return false;
  if (sameText(before, now)) return true;
  const quote = folded(issue.quote ?? "");
  return quote !== "" && folded(before).includes(quote) && folded(now).includes(quote);
}

/** Models wrap and indent what they quote. */
function folded(text: string): string {
  return text.trim().replace(/\s+/gu, " ");
}
