import type { RaisedIssue, ReviewerReply } from "../../../domain/drafting/review.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { OpenIssue, ReviewerTask } from "../../../protocol/drafting/task.ts";
import type { Fault } from "./fault.ts";
import { quoteOf } from "./words.ts";

/** In words, a reviewer says the one or two things that matter most; in data, everything. */
const spokenIssues = 2;

/** Judges the text by the faults found in it and by nothing else; it cannot be talked into approval. */
export function reviewByRules(task: ReviewerTask, faults: readonly Fault[]): ReviewerReply {
  const earlier = task.openIssues.filter(({ issue }) => issue.reviewer !== "checks");
  const kept = earlier.filter((open) => isStillOpen(open, faults, task));
  const keptIssues = kept.map(({ issue }) => issue);
  const fresh = faults.filter(({ code }) => !keptIssues.some((issue) => issue.code === code));
  const all: readonly RaisedIssue[] = [...fresh, ...keptIssues, ...task.checkIssues].map(asRaised);
  const errors = all.filter(({ severity }) => severity === "error");
  const settled = {
    verdict: errors.length === 0 ? ("ok" as const) : ("changes_requested" as const),
    kept: keptIssues.map(({ issueId }) => issueId),
    closed: earlier.filter((open) => !kept.includes(open)).map(({ issue }) => issue.issueId),
  };
  if (task.approval === "phrase") return { ...settled, issues: errors.slice(0, spokenIssues) };
  return {
    ...settled,
    issues: fresh.map(asRaised),
    summary: summaryOf(all.length),
    score: Math.max(0, 100 - 15 * errors.length - 5 * all.length),
  };
}

function summaryOf(points: number): string {
  if (points === 0) return "Clear, concrete and true to the brief.";
  return points === 1 ? "One point to settle." : `${points} points to settle.`;
}

/**
 * What we said ourselves is judged afresh. A remark of someone else is open while its words are in the text, or,
 * if it quotes none, until it is answered or the text has changed: writers of plain text have no way to answer.
 */
function isStillOpen(open: OpenIssue, faults: readonly Fault[], task: ReviewerTask): boolean {
  const { issue, answer } = open;
  if (faults.some(({ code }) => code === issue.code)) return true;
  if (issue.reviewer === task.reviewer) return false;
  if (issue.quote !== undefined) return quoteOf(task.text, issue.quote) !== undefined;
  if (answer !== undefined) return answer.answer === "deferred";
  return (task.changedPassages ?? []).length === 0;
}

function asRaised({ severity, message, code, field, quote }: RaisedIssue): RaisedIssue {
  return { severity, message, ...defined({ code, field, quote }) };
}
