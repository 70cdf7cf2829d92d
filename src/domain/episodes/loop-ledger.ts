import type { IssueAnswer } from "../drafting/candidate.ts";
import type { IssueLedger } from "../drafting/issue-ledger.ts";
import type { LoopIteration } from "../drafting/iteration.ts";
import type { PanelDecision } from "../drafting/panel.ts";
import type { Review, ReviewIssue, Verdict } from "../drafting/review.ts";
import { defined } from "../values/defined.ts";
import type { Digest } from "../values/digest.ts";
import type { Instant } from "../values/instant.ts";
import type { ProtocolIteration, ProtocolState } from "./protocol-state.ts";
import { compareTimestamps } from "./timestamp.ts";

/**
 * What Signoff knows of a loop beyond the files it shares with the original program. Without it a loop can
 * still be read and continued; only answers, quotes and votes are then unknown.
 */
export interface LoopLedger {
  readonly assetId: string;
  /** Raised by a restart and by an unlock. */
  readonly generation: number;
  readonly iterations: readonly LedgerIteration[];
  readonly issues: IssueLedger;
  /** What people did to this loop, oldest first. */
  readonly acts: readonly LoopAct[];
}

export interface LedgerIteration {
  readonly iteration: number;
  readonly answers: readonly IssueAnswer[];
  readonly issues: readonly IssueExtras[];
  readonly score?: number;
  readonly panel: readonly RecordedVote[];
  /** How the panel voted; absent without a panel, and in ledgers of earlier versions. */
  readonly vote?: PanelDecision;
  /** Candidates of this turn that were not chosen; their texts are separate files. */
  readonly loserIds: readonly string[];
}

export interface IssueExtras {
  readonly issueId: string;
  readonly reviewer: string;
  readonly late: boolean;
  readonly quote?: string;
}

export interface RecordedVote {
  readonly reviewer: string;
  readonly verdict: Verdict;
  readonly score?: number;
  readonly issueIds: readonly string[];
}

export interface LoopAct {
  readonly kind: "pick" | "adopt" | "unlock" | "restart";
  readonly by: string;
  readonly at: Instant;
  readonly reason?: string;
  /**
   * Of a pick or an adoption: the text that was chosen; picks of earlier versions have none. Of an unlock: the selected
   * text that may be changed; any other selection is locked again.
   */
  readonly textSha256?: Digest;
}

export function emptyLedger(assetId: string, generation: number): LoopLedger {
  return { assetId, generation, iterations: [], issues: [], acts: [] };
}

/** The ledger after one more turn; recording the same turn again changes nothing. */
export function withIteration(ledger: LoopLedger, iteration: LoopIteration): LoopLedger {
  const earlier = ledger.iterations.filter((one) => one.iteration < iteration.iteration);
  return {
    ...ledger,
    iterations: [...earlier, ledgerIteration(iteration)],
    issues: iteration.ledger,
  };
}

/** Whether a person lifted the lock of exactly this text, and neither a person nor a loop has chosen it since. */
export function isUnlocked(
  ledger: LoopLedger | undefined,
  textSha256: Digest,
  chosenByLoopAt?: Instant,
): boolean {
  const last = ledger?.acts.findLast(({ kind }) => kind !== "restart");
  if (last?.kind !== "unlock" || last.textSha256 !== textSha256) return false;
  return chosenByLoopAt === undefined || compareTimestamps(chosenByLoopAt, last.at) <= 0;
}

/** The part of a loop's iterations that only the ledger keeps. */
export function ledgerOf(
  about: Pick<LoopLedger, "assetId" | "generation" | "acts">,
  iterations: readonly LoopIteration[],
): LoopLedger {
  return {
    ...about,
    iterations: iterations.map(ledgerIteration),
    issues: iterations.at(-1)?.ledger ?? [],
  };
}

/** Puts the shared files and the ledger together again, so that a loop can resume from what is on disk. */
export function loopIterations(
  state: ProtocolState,
  ledger: LoopLedger | undefined,
): readonly LoopIteration[] {
  const last = state.iterations.at(-1)?.iteration;
  return state.iterations.map((one) => {
    const extra = ledger?.iterations.find((entry) => entry.iteration === one.iteration);
    const review = withExtras(one, extra);
    return {
      ...one,
      review,
      answers: extra?.answers ?? [],
      panel: (extra?.panel ?? []).map((vote) => memberReview(review, vote)),
      ...defined({ vote: extra?.vote }),
      losers: [],
      ledger: one.iteration === last ? (ledger?.issues ?? openIssues(review)) : openIssues(review),
    };
  });
}

function ledgerIteration(one: LoopIteration): LedgerIteration {
  return {
    iteration: one.iteration,
    answers: one.answers,
    issues: one.review.issues.map(({ issueId, reviewer, late, quote }) => ({
      issueId,
      reviewer,
      late,
      ...defined({ quote }),
    })),
    ...defined({ score: one.review.score }),
    panel: one.panel.map((member) => ({
      reviewer: member.reviewer ?? "reviewer",
      verdict: member.verdict,
      ...defined({ score: member.score }),
      issueIds: member.issues.map((issue) => issue.issueId),
    })),
    ...defined({ vote: one.vote }),
    loserIds: one.losers.map((loser) => loser.candidate.candidateId),
  };
}

function withExtras({ review }: ProtocolIteration, extra: LedgerIteration | undefined): Review {
  if (extra === undefined) return review;
  const byId = new Map(extra.issues.map((issue) => [issue.issueId, issue]));
  return {
    ...review,
    issues: review.issues.map((issue) => ({ ...issue, ...byId.get(issue.issueId) })),
    ...defined({ score: extra.score }),
  };
}

function memberReview(combined: Review, vote: RecordedVote): Review {
  return {
    iteration: combined.iteration,
    verdict: vote.verdict,
    issues: combined.issues.filter((issue) => vote.issueIds.includes(issue.issueId)),
    reviewer: vote.reviewer,
    createdAt: combined.createdAt,
    ...defined({ score: vote.score }),
    provenance: combined.provenance,
  };
}

function openIssues(review: Review): IssueLedger {
  return review.issues.map((issue: ReviewIssue) => ({
    issue,
    raisedIn: review.iteration,
    status: "open",
  }));
}
