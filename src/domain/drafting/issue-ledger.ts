import type { IssueAnswer } from "./candidate.ts";
import type { RaisedIssue, ReviewerReply, ReviewIssue } from "./review.ts";

/** Every objection ever raised in a loop, with what became of it. */
export interface LedgerEntry {
  readonly issue: ReviewIssue;
  readonly raisedIn: number;
  readonly status: "open" | "closed";
  readonly closedIn?: number;
  /** The creator's latest answer; absent means unanswered. */
  readonly answer?: IssueAnswer & { readonly iteration: number };
  /** The panel's latest vote said `ok` over this objection: still open, no longer blocking. */
  readonly overruledIn?: number;
}

/** In the order of raising. */
export type IssueLedger = readonly LedgerEntry[];

/** Raises the issues of the recipe's checks and of the lock; they are derived anew each turn. */
export const checksReviewer = "checks";

/** Label of objections that a person raised. */
export const personReviewer = "person";

/** What a person objects to has to be dealt with like a reviewer's error. */
export function personIssue(issueId: string, message: string): ReviewIssue {
  return { issueId, severity: "error", message, reviewer: personReviewer, late: false };
}

/** Code of an objection that is a reviewer's plain words about the whole text. */
const feedbackCode = "feedback";

/** One panel member's reply, under the label its issues carry. */
export interface MemberReply {
  readonly reviewer: string;
  readonly reply: ReviewerReply;
}

export function openIssues(ledger: IssueLedger, reviewer?: string): readonly LedgerEntry[] {
  return ledger.filter(
    (entry) =>
      entry.status === "open" && (reviewer === undefined || entry.issue.reviewer === reviewer),
  );
}

/** Open errors that prevent an `ok`. */
export function blockingIssues(ledger: IssueLedger): readonly LedgerEntry[] {
  return openIssues(ledger).filter(
    (entry) => entry.issue.severity === "error" && entry.overruledIn === undefined,
  );
}

/** The creator's answers to open issues. Unknown and closed ids are ignored; an issue may stay unanswered. */
export function applyAnswers(
  ledger: IssueLedger,
  answers: readonly IssueAnswer[],
  iteration: number,
): IssueLedger {
  const byId = new Map(answers.map((answer) => [answer.issueId, answer]));
  return ledger.map((entry) => {
    const answer = entry.status === "open" ? byId.get(entry.issue.issueId) : undefined;
    return answer === undefined ? entry : amended(entry, { answer: { iteration, ...answer } });
  });
}

/**
 * Closes what the panel considers settled. A reviewer closes and keeps its own issues only: `ok` closes all it
 * does not keep, any other verdict only those it names. Keeping wins over closing. An issue of a reviewer that is
 * not on the panel (a person, a former member) is closed when no member keeps it and one names it closed or all
 * say `ok`.
 */
export function closeSettled(
  ledger: IssueLedger,
  turn: {
    readonly iteration: number;
    readonly replies: readonly MemberReply[];
    /** Labels of all members, also of those that failed to answer. */
    readonly panel: readonly string[];
  },
): IssueLedger {
  const stances = turn.replies.map(stanceOf);
  return ledger.map((entry) => {
    const { reviewer } = entry.issue;
    if (entry.status === "closed" || reviewer === checksReviewer) return entry;
    const judges = turn.panel.includes(reviewer)
      ? stances.filter((stance) => stance.reviewer === reviewer)
      : stances;
    return isSettled(entry.issue, judges) ? closed(entry, turn.iteration) : entry;
  });
}

/** What a reply raises that is not open already; saying the same again keeps the issue it repeats. */
export function newlyRaised(ledger: IssueLedger, received: MemberReply): readonly RaisedIssue[] {
  const said = new Objections();
  const different = received.reply.issues.filter((raised) => said.add(raised));
  const repeated = new Objections();
  for (const { issue } of openIssues(ledger, received.reviewer)) {
    if (said.has(issue)) repeated.add(issue);
  }
  return different.filter((raised) => !repeated.has(raised));
}

export function raiseIssues(
  ledger: IssueLedger,
  issues: readonly ReviewIssue[],
  iteration: number,
): IssueLedger {
  return [
    ...ledger,
    ...issues.map((issue) => ({ issue, raisedIn: iteration, status: "open" as const })),
  ];
}

/** Closes what the checks said about the previous text. */
export function closeChecks(ledger: IssueLedger, iteration: number): IssueLedger {
  return ledger.map((entry) =>
    entry.status === "open" && entry.issue.reviewer === checksReviewer
      ? closed(entry, iteration)
      : entry,
  );
}

/** Marks the open errors of these reviewers as outvoted, and lifts the mark from all others. */
export function overrule(
  ledger: IssueLedger,
  reviewers: readonly string[],
  iteration: number,
): IssueLedger {
  return ledger.map((entry) => {
    const isOutvoted =
      entry.status === "open" &&
      entry.issue.severity === "error" &&
      reviewers.includes(entry.issue.reviewer);
    if (isOutvoted) return amended(entry, { overruledIn: iteration });
    if (entry.overruledIn === undefined) return entry;
    const { overruledIn: _, ...lifted } = entry;
    return lifted;
  });
}

/** What a reply says about earlier issues, ready to be asked for each of them. */
interface Stance {
  readonly reviewer: string;
  readonly isOk: boolean;
  readonly kept: ReadonlySet<string>;
  readonly closed: ReadonlySet<string>;
  readonly said: Pick<Objections, "has">;
  readonly speaksPlainly: boolean;
}

function stanceOf({ reviewer, reply }: MemberReply): Stance {
  const said = new Objections();
  for (const raised of reply.issues) said.add(raised);
  return {
    reviewer,
    isOk: reply.verdict === "ok",
    kept: new Set(reply.kept),
    closed: new Set(reply.closed),
    said,
    speaksPlainly: reply.issues.some((raised) => raised.code === feedbackCode),
  };
}

function isSettled(issue: ReviewIssue, judges: readonly Stance[]): boolean {
  if (judges.length === 0 || judges.some((judge) => keeps(judge, issue))) return false;
  return (
    judges.every((judge) => judge.isOk) ||
    judges.some((judge) => judge.closed.has(issue.issueId) || supersedes(judge, issue))
  );
}

function keeps(judge: Stance, issue: ReviewIssue): boolean {
  const repeats = issue.reviewer === judge.reviewer && judge.said.has(issue);
  return repeats || judge.kept.has(issue.issueId);
}

/** Prose feedback is about the whole text, so newer feedback replaces older. */
function supersedes(judge: Stance, issue: ReviewIssue): boolean {
  return issue.reviewer === judge.reviewer && issue.code === feedbackCode && judge.speaksPlainly;
}

/**
 * Objections by message and subject. The message alone distinguishes nearly all of them, so it is the key as it is:
 * joining it with the rest would copy and hash every objection again in every turn.
 */
class Objections {
  readonly #aboutByMessage = new Map<string, Set<string>>();

  has(issue: RaisedIssue): boolean {
    return this.#aboutByMessage.get(issue.message.trim())?.has(aboutOf(issue)) ?? false;
  }

  /** False when the same was said before. */
  add(issue: RaisedIssue): boolean {
    const message = issue.message.trim();
    const about = this.#aboutByMessage.get(message) ?? new Set();
    this.#aboutByMessage.set(message, about);
    const before = about.size;
    return about.add(aboutOf(issue)).size > before;
  }
}

function aboutOf({ severity, code, field, quote }: RaisedIssue): string {
  return JSON.stringify([severity, code, field, quote]);
}

function closed(entry: LedgerEntry, iteration: number): LedgerEntry {
  return amended(entry, { status: "closed", closedIn: iteration });
}

/** Not by a spread: V8 takes a microsecond for each member that is added to a copy made so. */
function amended(entry: LedgerEntry, changes: Partial<LedgerEntry>): LedgerEntry {
  return Object.assign({}, entry, changes);
}
