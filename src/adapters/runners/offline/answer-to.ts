import type { IssueAnswer } from "../../../domain/drafting/candidate.ts";
import type { CreatorTask, OpenIssue } from "../../../protocol/drafting/task.ts";
import { quoteOf } from "./slogan-faults.ts";

/** What the writer says about an issue, true of the text it hands in. */
export function answerTo(open: OpenIssue, task: CreatorTask, content: string): IssueAnswer {
  const { issueId, quote } = open.issue;
  const previous = task.previousText ?? "";
  if (task.lockedText !== undefined) {
    return { issueId, answer: "rebutted", reason: "The text is locked; I may not change it." };
  }
  if (quote !== undefined && quoteOf(previous, quote) === undefined) {
    return { issueId, answer: "rebutted", reason: `“${quote}” was not in my draft.` };
  }
  if (quote !== undefined && quoteOf(content, quote) !== undefined) {
    return {
      issueId,
      answer: "rebutted",
      reason: `I kept “${quote}”: it names what this is about.`,
    };
  }
  const reason =
    quote === undefined
      ? `I rewrote the line; it now reads “${content}”`
      : `“${quote}” is gone; the line now reads “${content}”`;
  return { issueId, answer: "fixed", reason };
}
