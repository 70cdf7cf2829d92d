import type { IssueAnswer } from "../../domain/drafting/candidate.ts";
import type { LedgerEntry } from "../../domain/drafting/issue-ledger.ts";
import type { RaisedIssue, Verdict } from "../../domain/drafting/review.ts";
import type { Span } from "../shell/lay-out.ts";
import type { Style } from "../shell/palette.ts";
import { clipped, type Item } from "../shell/row.ts";
import { stripToLine } from "../shell/strip-control.ts";
import { caution, muted } from "../shell/styles.ts";

const longestMessage = 1_000;
const longestQuote = 160;
const longestMention = 100;
const mostIssues = 20;

/** Each issue with the text it quotes. Issues beyond the limit are only counted. */
export function issueItems(
  issues: readonly (RaisedIssue & { readonly late?: boolean })[],
): readonly Item[] {
  return firstOf(issues, (issue) => ({
    mark: { text: issue.severity, style: issue.severity === "error" ? "bad" : "caution" },
    spans: [
      { text: clipped(issue.message.trim(), longestMessage) },
      muted(marks(issue)),
      ...(issue.quote === undefined ? [] : [quoted(issue.quote)]),
    ],
  }));
}

const verdicts: {
  readonly [verdict in Verdict]: { readonly words: string; readonly style: Style };
} = {
  ok: { words: "approves", style: "good" },
  changes_requested: { words: "asks for changes", style: "caution" },
  needs_human: { words: "asks for a person", style: "caution" },
};

export function verdictSpan(verdict: Verdict): Span {
  const { words, style } = verdicts[verdict];
  return { text: words, style };
}

/** The writer's answer to each objection. */
export function answerItems(
  answers: readonly IssueAnswer[],
  messageOf: (issueId: string) => string | undefined,
): readonly Item[] {
  return firstOf(answers, ({ issueId, answer, reason = "" }) => ({
    mark: { text: answer, style: answer === "fixed" ? "good" : "caution" },
    spans: [
      { text: mention(messageOf(issueId) ?? issueId) },
      muted(reason.trim() === "" ? "" : `\n${clipped(reason.trim(), longestMessage)}`),
    ],
  }));
}

/** Objections of earlier turns that are still open. */
export function openItems(entries: readonly LedgerEntry[]): readonly Item[] {
  return firstOf(entries, ({ issue, raisedIn, answer }) => ({
    mark: caution(`turn ${raisedIn}`),
    spans: [{ text: mention(issue.message) }, muted(`  [${answer?.answer ?? "unanswered"}]`)],
  }));
}

function firstOf<T>(all: readonly T[], itemOf: (one: T) => Item): readonly Item[] {
  const shown = all.slice(0, mostIssues).map(itemOf);
  const rest = all.length - mostIssues;
  if (rest <= 0) return shown;
  return [...shown, { mark: { text: "" }, spans: [muted(`and ${rest} more`)] }];
}

function marks(issue: RaisedIssue & { readonly late?: boolean }): string {
  const parts = [
    ...(issue.code === undefined ? [] : [stripToLine(issue.code)]),
    ...(issue.field === undefined || issue.field === "content" ? [] : [stripToLine(issue.field)]),
    ...(issue.late === true ? ["late: text unchanged"] : []),
  ];
  return parts.length === 0 ? "" : `  [${parts.join(", ")}]`;
}

function quoted(quote: string): Span {
  return muted(`\n“${clipped(stripToLine(quote), longestQuote)}”`);
}

function mention(message: string): string {
  return clipped(stripToLine(message.slice(0, 10 * longestMention)), longestMention);
}
