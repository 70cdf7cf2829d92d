import type { RaisedIssue, ReviewerReply } from "../../../domain/drafting/review.ts";
import { defined } from "../../../domain/values/defined.ts";
import type { OpenIssue, ReviewerTask } from "../../../protocol/drafting/task.ts";
import { readBrief } from "./brief-facts.ts";
import { proseFaults } from "./prose-faults.ts";
import { isSlogan } from "./recipe-kind.ts";
import { type Fault, quoteOf, sloganFaults } from "./slogan-faults.ts";

/** In words, a reviewer says the one or two things that matter most; in data, everything. */
const SPOKEN_ISSUES = 2;

/** Judges the text by what it finds in it and by nothing else; it cannot be talked into approval. */
export function review(task: ReviewerTask): ReviewerReply {
  const facts = readBrief(task.brief);
  const faults = isSlogan(task)
    ? sloganFaults(task.text, facts, task.brief)
    : proseFaults(task, facts);
  const earlier = task.openIssues.filter(({ issue }) => issue.reviewer !== "checks");
  const isKept = (open: OpenIssue) => stillThere(open, faults, task);
  const kept = earlier.filter(isKept);
  const fresh = faults.filter((fault) => !kept.some(({ issue }) => issue.code === fault.code));
  const blocked =
    faults.some(isError) ||
    kept.some(({ issue }) => isError(issue)) ||
    task.checkIssues.some(isError);
  const verdict = blocked ? "changes_requested" : "ok";
  const spoken = task.approval === "phrase";
  return {
    verdict,
    issues: spoken ? spokenIssues(verdict === "ok", { faults, kept, task }) : fresh.map(asRaised),
    kept: kept.map(({ issue }) => issue.issueId),
    closed: earlier.filter((open) => !isKept(open)).map(({ issue }) => issue.issueId),
    ...(spoken
      ? {}
      : { summary: summaryOf(faults, kept, task), score: scoreOf(faults, kept, task) }),
  };
}

interface Findings {
  readonly faults: readonly Fault[];
  readonly kept: readonly OpenIssue[];
  readonly task: ReviewerTask;
}

/** An approval in words has nothing beside it; a refusal always has something to act on. */
function spokenIssues(approved: boolean, findings: Findings): readonly RaisedIssue[] {
  if (approved) return [];
  const { faults, kept, task } = findings;
  const earlier = kept.map(({ issue }) => issue);
  const all = [...faults.map(asRaised), ...earlier.map(asRaised), ...task.checkIssues];
  return all.filter(isError).slice(0, SPOKEN_ISSUES);
}

/**
 * What we said ourselves is judged afresh. A remark of somebody else stands while its words stand, or, if it has
 * none, until it is answered or the text has changed: writers of plain text have no way to answer.
 */
function stillThere(open: OpenIssue, faults: readonly Fault[], task: ReviewerTask): boolean {
  const { issue, answer } = open;
  if (faults.some((fault) => fault.code === issue.code)) return true;
  if (issue.reviewer === task.reviewer) return false;
  if (issue.quote !== undefined) return quoteOf(task.text, issue.quote) !== undefined;
  if (answer !== undefined) return answer.answer === "deferred";
  return (task.changedPassages ?? []).length === 0;
}

function summaryOf(
  faults: readonly Fault[],
  kept: readonly OpenIssue[],
  task: ReviewerTask,
): string {
  const count = faults.length + task.checkIssues.length;
  if (count === 0 && kept.length === 0) return "Clear, concrete and true to the brief.";
  const first = faults[0]?.message ?? kept[0]?.issue.message ?? task.checkIssues[0]?.message ?? "";
  return count <= 1 ? first : `${first} ${count - 1} more to settle.`;
}

/** From 0 to 100: each error costs 20, each warning 5. */
function scoreOf(faults: readonly Fault[], kept: readonly OpenIssue[], task: ReviewerTask): number {
  const known = new Set(faults.map((fault) => fault.code));
  const others = kept.map(({ issue }) => issue).filter((issue) => !known.has(issue.code ?? ""));
  const all: readonly RaisedIssue[] = [...faults, ...others, ...task.checkIssues];
  return Math.max(
    0,
    all.reduce((score, issue) => score - (isError(issue) ? 20 : 5), 100),
  );
}

function isError(issue: RaisedIssue): boolean {
  return issue.severity === "error";
}

function asRaised({ severity, message, code, field, quote }: RaisedIssue): RaisedIssue {
  return {
    severity,
    message,
    ...defined({ code, field, quote }),
  };
}
