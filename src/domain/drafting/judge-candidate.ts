import { defined } from "../values/defined.ts";
import type { Instant } from "../values/instant.ts";
import type { Candidate, IssueAnswer } from "./candidate.ts";
import { guardVerdict, lockedSelectionIssue } from "./guard.ts";
import {
  applyAnswers,
  blockingIssues,
  checksReviewer,
  closeChecks,
  closeSettled,
  type IssueLedger,
  type LedgerEntry,
  newlyRaised,
  openIssues,
  overrule,
  raiseIssues,
} from "./issue-ledger.ts";
import type { LoopIteration } from "./iteration.ts";
import { isLate } from "./late.ts";
import {
  decidePanel,
  type PanelAnswer,
  type PanelDecision,
  type PanelRule,
  type PanelVote,
  panelReviewer,
  unnamedReviewer,
} from "./panel.ts";
import type { ProvenanceRef } from "./provenance.ts";
import {
  type RaisedIssue,
  type Review,
  type ReviewerReply,
  type ReviewIssue,
  statesError,
  type Verdict,
} from "./review.ts";
import type { Signature } from "./signature.ts";

/** What one member of the panel made of one candidate. Labels are absent only for a single, unnamed reviewer. */
export type MemberAnswer =
  | {
      readonly kind: "replied";
      readonly label?: string;
      readonly reply: ReviewerReply;
      readonly createdAt: Instant;
      readonly provenance: readonly ProvenanceRef[];
    }
  | { readonly kind: "failed"; readonly label?: string };

/** One candidate of a turn with everything that was said about it. Failed creators have none. */
export interface CandidateTurn {
  /** From 1, the creator's place. */
  readonly index: number;
  readonly candidate: Candidate;
  readonly done: boolean;
  readonly answers: readonly IssueAnswer[];
  /** What the recipe's checks found. */
  readonly checks: readonly RaisedIssue[];
  /** In the order of the panel. */
  readonly members: readonly MemberAnswer[];
}

/** The position of a new issue; enough to make an id that is the same on every replay. */
export interface IssuePlace {
  readonly iteration: number;
  readonly candidateIndex: number;
  readonly reviewer: string;
  /** From 0 over all new issues of this candidate: members in the order of the panel, then checks. */
  readonly ordinal: number;
}

/** A candidate after every member has replied. */
export interface JudgedCandidate extends Omit<CandidateTurn, "checks" | "members"> {
  /** The combined review. Its issues are the open ones of the ledger, outvoted errors as warnings. */
  readonly review: Review;
  /** The members' own reviews, each with its own open issues. */
  readonly members: readonly Review[];
  readonly isPanel: boolean;
  /** Who approved, objected or was absent, and by which rule that was decided. */
  readonly vote: PanelDecision;
  readonly ledger: IssueLedger;
}

export interface JudgementContext {
  readonly iteration: number;
  readonly previous?: LoopIteration;
  readonly ledger: IssueLedger;
  readonly rule: PanelRule;
  readonly lockedText?: string;
  readonly issueId: (place: IssuePlace) => string;
}

type Replied = Extract<MemberAnswer, { kind: "replied" }>;

/** The ledger, the marks for late errors, the guard and the vote for one candidate that has a review. */
export function judgeCandidate(turn: CandidateTurn, context: JudgementContext): JudgedCandidate {
  const { iteration } = context;
  const replied = turn.members.filter((member) => member.kind === "replied");
  const updated = updateLedger(turn, replied, context);
  const members = replied.map((member) => memberReview(member, updated, iteration));
  const vote = decidePanel(
    turn.members.map((member) => voteOf(member, updated)),
    context.rule,
  );
  const outvoted = [...vote.objected, ...vote.absent];
  const ledger = settleVote(updated, { isOk: vote.verdict === "ok", outvoted, iteration });
  const issues = openIssues(ledger).map(standingIssue);
  return {
    index: turn.index,
    candidate: turn.candidate,
    done: turn.done,
    answers: turn.answers,
    review: {
      iteration,
      verdict: guardVerdict(vote.verdict, issues),
      issues,
      ...combinedWords(turn.members, members),
    },
    members,
    isPanel: turn.members.length > 1,
    vote,
    ledger,
  };
}

function updateLedger(
  turn: CandidateTurn,
  replied: readonly Replied[],
  context: JudgementContext,
): IssueLedger {
  const { iteration } = context;
  const replies = replied.map((member) => ({ reviewer: ownerOf(member), reply: member.reply }));
  const answered = applyAnswers(context.ledger, turn.answers, iteration);
  const settled = closeSettled(closeChecks(answered, iteration), {
    iteration,
    replies,
    panel: turn.members.map(ownerOf),
  });
  const locked = lockedSelectionIssue(turn.candidate.content, context.lockedText);
  const raised = [
    ...replies.flatMap((received) =>
      newlyRaised(answered, received).map((issue) => ({
        issue,
        reviewer: received.reviewer,
        late: isLateFor(received.reviewer, { issue, now: turn.candidate.content, context }),
      })),
    ),
    ...[...turn.checks, ...(locked === undefined ? [] : [locked])].map((issue) => ({
      issue,
      reviewer: checksReviewer,
      late: false,
    })),
  ];
  const issues = raised.map(
    ({ issue, reviewer, late }, ordinal): ReviewIssue =>
      Object.assign({}, issue, {
        issueId: context.issueId({ iteration, candidateIndex: turn.index, reviewer, ordinal }),
        reviewer,
        late,
      }),
  );
  return raiseIssues(settled, issues, iteration);
}

/** Late only for a reviewer that had the previous text before it. */
function isLateFor(
  reviewer: string,
  raised: {
    readonly issue: RaisedIssue;
    readonly now: string;
    readonly context: JudgementContext;
  },
): boolean {
  const { previous } = raised.context;
  if (previous === undefined) return false;
  const earlier = previous.panel.length > 0 ? previous.panel : [previous.review];
  const hasRead = earlier.some((review) => (review.reviewer ?? unnamedReviewer) === reviewer);
  return hasRead && isLate(raised.issue, { before: previous.candidate.content, now: raised.now });
}

/** Objections of outvoted members are only overruled by an `ok` that no other error blocks. */
function settleVote(
  ledger: IssueLedger,
  vote: {
    readonly isOk: boolean;
    readonly outvoted: readonly string[];
    readonly iteration: number;
  },
): IssueLedger {
  const standing = overrule(ledger, [], vote.iteration);
  if (!vote.isOk) return standing;
  const overruled = overrule(ledger, vote.outvoted, vote.iteration);
  return blockingIssues(overruled).length === 0 ? overruled : standing;
}

function memberReview(member: Replied, ledger: IssueLedger, iteration: number): Review {
  const { summary, score, verdict } = member.reply;
  const signature = member.reply.signature ?? (verdict === "ok" ? bare : undefined);
  return {
    iteration,
    verdict: verdictOf(member, ledger),
    issues: openIssues(ledger, ownerOf(member)).map((entry) => entry.issue),
    ...defined({ reviewer: member.label }),
    createdAt: member.createdAt,
    ...defined({ summary, score, signature }),
    provenance: member.provenance,
  };
}

const bare: Signature = { how: "bare" };

function verdictOf(member: Replied, ledger: IssueLedger) {
  const own = openIssues(ledger, ownerOf(member)).map((entry) => entry.issue);
  return guardVerdict(member.reply.verdict, own);
}

const answers: { readonly [verdict in Verdict]: PanelAnswer } = {
  ok: "approves",
  changes_requested: "objects",
  needs_human: "needs_human",
};

/** An absent member may have left open what it objected to before. */
function voteOf(member: MemberAnswer, ledger: IssueLedger): PanelVote {
  const own = openIssues(ledger, ownerOf(member)).map((entry) => entry.issue);
  return {
    member: ownerOf(member),
    answer: member.kind === "failed" ? "absent" : answers[verdictOf(member, ledger)],
    statesError: statesError({ issues: own }),
  };
}

function standingIssue({ issue, overruledIn }: LedgerEntry): ReviewIssue {
  return overruledIn === undefined ? issue : { ...issue, severity: "warning" };
}

/** Everything of the combined review but verdict and issues. The words of a single member are taken as they are. */
function combinedWords(
  members: readonly MemberAnswer[],
  reviews: readonly Review[],
): Omit<Review, "iteration" | "verdict" | "issues"> {
  const [only] = reviews;
  if (members.length === 1 && only !== undefined) {
    const { iteration: _, verdict: __, issues: ___, ...words } = only;
    return words;
  }
  const scores = reviews.flatMap((review) => review.score ?? []);
  const summary = members.flatMap(spokenSummary).join("\n");
  return {
    reviewer: panelReviewer,
    createdAt: reviews.map((review) => review.createdAt).reduce((a, b) => (a > b ? a : b)),
    ...(summary === "" ? {} : { summary }),
    ...(scores.length === 0 ? {} : { score: scores.reduce((a, b) => a + b, 0) / scores.length }),
    provenance: [...reviews.flatMap((review) => review.provenance), ...reviews.map(reviewRef)],
  };
}

function spokenSummary(member: MemberAnswer): readonly string[] {
  if (member.kind === "failed") return [`${ownerOf(member)}: gave no review.`];
  const { summary } = member.reply;
  return summary === undefined ? [] : [`${ownerOf(member)}: ${summary}`];
}

function reviewRef(review: Review): ProvenanceRef {
  const number = String(review.iteration).padStart(2, "0");
  return {
    kind: "review",
    ref: `iteration_${number}.${review.reviewer ?? unnamedReviewer}`,
    metadata: { verdict: review.verdict },
  };
}

function ownerOf(member: MemberAnswer): string {
  return member.label ?? unnamedReviewer;
}
